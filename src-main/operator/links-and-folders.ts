import { chmod, lstat, mkdir, rename, rm, rmdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '../platform/index.ts';
import { errorName } from './file-errors.ts';
import { ownPlace } from './real-path.ts';
import { temporaryPath } from './temporary-name.ts';
import { syncFolder } from './write-file.ts';

/** See `FileOperator.makeLink`. @throws the system's error. */
export async function makeLink(given: string, target: Uint8Array): Promise<void> {
  const link = await ownPlace(given);
  makeFolders(path.dirname(link));
  const temporary = temporaryPath(link);
  try {
    await symlink(Buffer.from(target), temporary);
    await rename(temporary, link);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(path.dirname(link));
}

/** See `FileOperator.makeFolder`. @throws the system's error. */
export async function makeFolder(given: string, mode: number | undefined): Promise<void> {
  const folder = await ownPlace(given);
  makeFolders(path.dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorName(error) !== 'EEXIST' || !(await lstat(folder)).isDirectory()) throw error;
  }
  // What mkdir is given is cut by the umask.
  if (mode !== undefined) await chmod(folder, mode);
  await syncFolder(path.dirname(folder));
}

/** See `FileOperator.removeFolder`. @throws the system's error. */
export async function removeFolder(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT') return true;
    if (name === 'ENOTEMPTY' || name === 'EEXIST') return false;
    throw error;
  }
  await syncFolder(path.dirname(folder));
  return true;
}
