import { closeSync, constants, fstatSync, openSync, readlinkSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../../platform/index.ts';

/** O_PATH (fcntl-linux.h), which Node has no name for: opens anything, to look at it only, whatever its permissions. */
const O_PATH = 0o10000000;

/** Which entry it is, whatever it is called: the same inside and outside of a sandbox. */
function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** The entry at a path now; undefined when there is none. A link counts as itself. */
export function entryAt(file: string): string | undefined {
  const stats = lstatIfThere(file);
  return stats && identityOf(stats);
}

/**
 * The entry that really has this path, no link on the way; undefined when there is none. The kernel says where what was opened is,
 * so that nothing can be swapped between two looks.
 */
export function entryReallyAt(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, O_PATH | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const identity = identityOf(fstatSync(descriptor, { bigint: true }));
    return readlinkSync(`/proc/self/fd/${descriptor}`) === file ? identity : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Every place of a workspace that a sandbox mounts something at: the workspace, what is protected, the folders that is in. */
export function mountedPlaces(workspace: string, protectedEntries: readonly string[]): string[] {
  const names = protectedEntries.flatMap((entry) => {
    const parts = entry.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [workspace, ...[...new Set(names)].map((name) => path.join(workspace, name))];
}
