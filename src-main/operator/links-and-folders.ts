import { chmodSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../platform/index.ts';
import { errorName } from './file-errors.ts';
import { ownPlace } from './real-path.ts';
import { temporaryPath } from './temporary-name.ts';
import { syncFolder } from './write-file.ts';

/** See `FileOperator.makeLink`. @throws the system's error. */
export function makeLink(given: string, target: Uint8Array): void {
  const link = ownPlace(given);
  makeFolders(path.dirname(link));
  const temporary = temporaryPath(link);
  try {
    symlinkSync(Buffer.from(target), temporary);
    renameSync(temporary, link);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(link));
}

/** See `FileOperator.makeFolder`. @throws the system's error. */
export function makeFolder(given: string, mode: number | undefined): void {
  const folder = ownPlace(given);
  makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if (errorName(error) !== 'EEXIST' || !lstatSync(folder).isDirectory()) throw error;
  }
  // What mkdir is given is cut by the umask.
  if (mode !== undefined) chmodSync(folder, mode);
  syncFolder(path.dirname(folder));
}

/** See `FileOperator.removeFolder`. @throws the system's error. */
export function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT') return true;
    if (name === 'ENOTEMPTY' || name === 'EEXIST') return false;
    throw error;
  }
  syncFolder(path.dirname(folder));
  return true;
}
