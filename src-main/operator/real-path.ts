import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import { errorName } from './file-errors.ts';

/** As many links as Linux follows before it gives up (path_resolution(7)). */
const MAX_LINKS = 40;

/**
 * Where a path really leads, also when its end does not exist yet: every symlink is followed as far as there is one, a
 * dangling one too, because a write would follow it. Absolute in, absolute out.
 * @throws the system's error when a part can't be looked at, or links lead in a circle.
 */
export function realPath(absolute: string, linksLeft = MAX_LINKS): string {
  try {
    return realpathSync.native(absolute);
  } catch (error) {
    const name = errorName(error);
    if (name !== 'ENOENT' && name !== 'ENOTDIR') throw error;
    const target = linkTarget(absolute);
    if (target !== undefined) {
      if (linksLeft === 0) throw Object.assign(new Error('Too many symbolic links'), { code: 'ELOOP' });
      const parent = realPath(path.dirname(absolute), linksLeft - 1);
      return realPath(path.resolve(parent, target), linksLeft - 1);
    }
  }
  const parent = path.dirname(absolute);
  return parent === absolute ? absolute : path.join(realPath(parent, linksLeft), path.basename(absolute));
}

/** Where an entry itself is: links on the way to it are followed, one that it is itself is not. */
export function realPlace(absolute: string): string {
  return path.join(realPath(path.dirname(absolute)), path.basename(absolute));
}

/** True when no symlink is on the way to an entry, so that its path is its own. */
export function isOwnPlace(absolute: string): boolean {
  return realPlace(absolute) === absolute;
}

/** An entry by its own path. @throws CausewayError `conflict` when a symlink on the way would lead elsewhere. */
export function ownPlace(absolute: string): string {
  const real = realPlace(absolute);
  if (real === absolute) return absolute;
  throw new CausewayError(
    'conflict',
    `${absolute} was left: a symlink in the place of a folder now leads to ${real}.`,
    {
      hint: 'Put the folder back first.',
    },
  );
}

function linkTarget(absolute: string): string | undefined {
  try {
    return lstatSync(absolute).isSymbolicLink() ? readlinkSync(absolute) : undefined;
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT' || name === 'ENOTDIR') return undefined;
    throw error;
  }
}
