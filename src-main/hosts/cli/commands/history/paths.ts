import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../../../../app.ts';
import { lstatIfThere } from '../../../../platform/index.ts';

/** What helps say of a path: without --workspace the two are the same. */
export const FROM_WHERE =
  'a relative path is meant from the workspace, which is the current folder or that of --workspace';

type Place = Pick<App, 'workspace'>;

/**
 * The path of a file as the history knows it: without symlinks. What is gone has the path of the nearest folder that is there.
 * Of a symlink it is where it leads. A relative path is meant from the workspace.
 */
export function realPath({ workspace }: Place, file: string): string {
  return realPathOf(path.resolve(workspace, file));
}

/** What the history may know of a name, the likeliest first: a symlink has edits of its own, and so has what it leads to. */
export function pathsMeant({ workspace }: Place, file: string): string[] {
  const absolute = path.resolve(workspace, file);
  const real = realPathOf(absolute);
  const isLink = lstatIfThere(absolute)?.isSymbolicLink() === true;
  return isLink ? [placeOf(absolute), real] : [real];
}

/** A filter for what a name means: one file, or all in a folder. */
export function pathFilter(app: App, file: string): { path: string } | { within: string } {
  const { history } = app;
  const paths = pathsMeant(app, file);
  const target = paths.at(-1) ?? file;
  const isFile = lstatIfThere(target)?.isDirectory() === false;
  // A folder may be gone, and then only the history knows that it was one.
  if (!isFile && history.list({ within: target, limit: 1 }).length > 0) return { within: target };
  return { path: paths.find((one) => history.list({ path: one, limit: 1 }).length > 0) ?? target };
}

function realPathOf(absolute: string): string {
  try {
    return realpathSync(absolute);
  } catch {
    return placeOf(absolute);
  }
}

/** The path itself, its folder without symlinks. */
function placeOf(absolute: string): string {
  const folder = path.dirname(absolute);
  return folder === absolute ? absolute : path.join(realPathOf(folder), path.basename(absolute));
}
