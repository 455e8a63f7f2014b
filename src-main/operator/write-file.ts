import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../platform/index.ts';
import type { AttributeKeeper } from './attributes.ts';
import type { WriteOptions } from './contract.ts';
import { errorName } from './file-errors.ts';
import { sameStat, statFile } from './file-stat.ts';
import { ownPlace, realPath } from './real-path.ts';
import { completePath, stageOf, temporaryPath } from './temporary-name.ts';

/** Bytes copied at a time when a file is written in place. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * Replaces or creates a file so that after a crash it is entirely old or entirely new: temporary file in the same folder,
 * fsync, rename, fsync of the folder. Keeps mode and owner, and attributes as far as `attributes` can, which takes a process: not
 * where many files are written. What can only be kept in the file itself is kept by writing in place.
 * Gives false, and does nothing, where `ifStill` says so.
 * @throws the system's error.
 */
export function writeFile(
  attributes: AttributeKeeper,
  given: string,
  chunks: readonly Uint8Array[],
  { mode, follow = true, syncFolder: syncs = true, ifStill }: WriteOptions,
): boolean {
  if (ifStill !== undefined && !sameStat(ifStill, statFile(given, follow))) return false;
  const file = follow ? realPath(given) : ownPlace(given);
  const existing = existingFile(file, follow);
  if (existing?.isDirectory()) throw Object.assign(new Error('Is a directory'), { code: 'EISDIR' });
  // A rename would replace a write-protected file without a word.
  if (existing) accessSync(file, constants.W_OK);
  else makeFolders(path.dirname(file));
  const temporary = temporaryPath(file);
  try {
    const made = fill(temporary, chunks, mode ?? (existing ? modeOf(existing) : undefined));
    const sameHands = !existing || (existing.nlink <= 1n && takeOwner(temporary, made, existing));
    const kept = existing && sameHands && syncs ? attributes.copy(file, existing, temporary) : 'none';
    if (sameHands && kept !== 'failed') {
      // What was copied with them are the permissions of the file before.
      if (kept === 'copied' && mode !== undefined) chmodSync(temporary, mode);
      renameSync(temporary, file);
      if (existing && syncs && kept === 'none') attributes.hasNone(file);
    } else {
      copyInPlace(temporary, file);
      if (mode !== undefined) chmodSync(file, mode);
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (syncs) syncFolder(path.dirname(file));
  return true;
}

/** See `FileOperator.settle`. */
export function settleLeftovers(given: string): void {
  const file = realPath(given);
  const folder = path.dirname(file);
  for (const name of namesIn(folder)) {
    const stage = stageOf(name, file);
    if (stage === undefined) continue;
    const temporary = path.join(folder, name);
    if (stage === 'complete' && statOrNull(file)) copyOver(temporary, file);
    rmSync(temporary, { force: true });
  }
}

/** What is to be replaced; null for nothing, and for a symlink that is not to be followed. */
function existingFile(file: string, follow: boolean): BigIntStats | null {
  const existing = statOrNull(file, follow ? statSync : lstatSync);
  return existing?.isSymbolicLink() ? null : existing;
}

function fill(temporary: string, chunks: readonly Uint8Array[], mode: number | undefined): BigIntStats {
  const descriptor = openSync(temporary, 'wx', mode ?? 0o666);
  try {
    writeAll(descriptor, chunks);
    const made = fstatSync(descriptor, { bigint: true });
    // What open was given is cut by the umask; a kept mode must be exact.
    if (mode !== undefined && modeOf(made) !== mode) {
      fchmodSync(descriptor, mode);
      made.mode = BigInt(mode);
    }
    fsyncSync(descriptor);
    return made;
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, chunks: readonly Uint8Array[]): void {
  let position = 0;
  for (const chunk of chunks) {
    let done = 0;
    while (done < chunk.byteLength) {
      const written = writeSync(descriptor, chunk, done, chunk.byteLength - done, position);
      done += written;
      position += written;
    }
  }
}

/** False when the file would change hands: then only writing in place keeps its owner. */
function takeOwner(temporary: string, made: BigIntStats, existing: BigIntStats): boolean {
  if (made.uid === existing.uid && made.gid === existing.gid) return true;
  try {
    chownSync(temporary, Number(existing.uid), Number(existing.gid));
    // chown clears the set-user-ID bits.
    chmodSync(temporary, modeOf(made));
    return true;
  } catch (error) {
    // In a sandbox others have no number that could be given.
    if (errorName(error) === 'EPERM' || errorName(error) === 'EINVAL') return false;
    throw error;
  }
}

/** The complete copy stays beside the file until the file itself is whole again, for `settleLeftovers`. */
function copyInPlace(temporary: string, file: string): void {
  const complete = completePath(temporary);
  renameSync(temporary, complete);
  syncFolder(path.dirname(file));
  copyOver(complete, file);
  rmSync(complete);
}

function copyOver(source: string, file: string): void {
  using cleanup = new DisposableStack();
  const from = cleanup.adopt(openSync(source, 'r'), closeSync);
  const to = cleanup.adopt(openSync(file, 'r+'), closeSync);
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  let position = 0;
  for (;;) {
    const bytesRead = readSync(from, buffer, 0, COPY_BYTES, position);
    if (bytesRead === 0) break;
    let done = 0;
    while (done < bytesRead) done += writeSync(to, buffer, done, bytesRead - done, position + done);
    position += bytesRead;
  }
  ftruncateSync(to, position);
  fsyncSync(to);
}

/** Makes a rename or removal last through a power cut. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some network file systems can't sync folders; the write itself is done.
    if (errorName(error) !== 'EINVAL' && errorName(error) !== 'ENOTSUP') throw error;
  } finally {
    closeSync(descriptor);
  }
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o7777;
}

function statOrNull(file: string, look: typeof statSync | typeof lstatSync = statSync): BigIntStats | null {
  try {
    return look(file, { bigint: true });
  } catch (error) {
    if (errorName(error) === 'ENOENT') return null;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'ENOTDIR') return [];
    throw error;
  }
}
