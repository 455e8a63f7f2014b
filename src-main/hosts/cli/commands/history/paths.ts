import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../../../../app.ts';

/**
 * The path of a file as the history knows it: without symlinks. What is gone has the path of the nearest folder that is there.
 * Of a symlink it is where it leads.
 */
export function realPath(file: string): string {
  const absolute = path.resolve(file);
  try {
    return realpathSync(absolute);
  } catch {
    return placeOf(absolute);
  }
}

/** What the history may know of a name, the likeliest first: a symlink has edits of its own, and so has what it leads to. */
export function pathsMeant(file: string): string[] {
  const absolute = path.resolve(file);
  const real = realPath(absolute);
  const isLink = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? [placeOf(absolute), real] : [real];
}

/** A filter for what a name means: one file, or all in a folder. */
export function pathFilter({ history }: App, file: string): { path: string } | { within: string } {
  const paths = pathsMeant(file);
  const target = paths.at(-1) ?? file;
  const isFile = lstatSync(target, { throwIfNoEntry: false })?.isDirectory() === false;
  // A folder may be gone, and then only the history knows that it was one.
  if (!isFile && history.list({ within: target, limit: 1 }).length > 0) return { within: target };
  return { path: paths.find((one) => history.list({ path: one, limit: 1 }).length > 0) ?? target };
}

/** The path itself, its folder without symlinks. */
function placeOf(absolute: string): string {
  const folder = path.dirname(absolute);
  return folder === absolute ? absolute : path.join(realPath(folder), path.basename(absolute));
}
