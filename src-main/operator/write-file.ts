import { constants, type BigIntStats } from 'node:fs';
import { access, chmod, chown, lstat, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '../platform/index.ts';
import type { AttributeKeeper } from './attributes.ts';
import type { WriteOptions } from './contract.ts';
import { errorName } from './file-errors.ts';
import { ownPlace, realPath } from './real-path.ts';
import { completePath, stageOf, temporaryPath } from './temporary-name.ts';

/** Bytes copied at a time when a file is written in place. */
const COPY_BYTES = 4 * 1024 * 1024;

/**
 * Replaces or creates a file so that after a crash it is entirely old or entirely new: temporary file in the same folder,
 * fsync, rename, fsync of the folder. Keeps mode and owner, and attributes as far as `attributes` can, which takes a process: not
 * where many files are written. What can only be kept in the file itself is kept by writing in place.
 * @throws the system's error.
 */
export async function writeFile(
  attributes: AttributeKeeper,
  given: string,
  chunks: readonly Uint8Array[],
  { mode, follow = true, syncFolder: syncs = true }: WriteOptions,
): Promise<void> {
  const file = follow ? await realPath(given) : await ownPlace(given);
  const existing = await existingFile(file, follow);
  if (existing?.isDirectory()) throw Object.assign(new Error('Is a directory'), { code: 'EISDIR' });
  // A rename would replace a write-protected file without a word.
  if (existing) await access(file, constants.W_OK);
  else makeFolders(path.dirname(file));
  const temporary = temporaryPath(file);
  try {
    const made = await fill(temporary, chunks, mode ?? (existing ? modeOf(existing) : undefined));
    const sameHands = !existing || (existing.nlink <= 1n && (await takeOwner(temporary, made, existing)));
    const kept = existing && sameHands && syncs ? await attributes.copy(file, existing, temporary) : 'none';
    if (sameHands && kept !== 'failed') {
      // What was copied with them are the permissions of the file before.
      if (kept === 'copied' && mode !== undefined) await chmod(temporary, mode);
      await rename(temporary, file);
      if (existing && syncs && kept === 'none') await attributes.hasNone(file);
    } else {
      await copyInPlace(temporary, file);
      if (mode !== undefined) await chmod(file, mode);
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (syncs) await syncFolder(path.dirname(file));
}

/** See `FileOperator.settle`. */
export async function settleLeftovers(given: string): Promise<void> {
  const file = await realPath(given);
  const folder = path.dirname(file);
  for (const name of await namesIn(folder)) {
    const stage = stageOf(name, file);
    if (stage === undefined) continue;
    const temporary = path.join(folder, name);
    if (stage === 'complete' && (await statOrNull(file))) await copyOver(temporary, file);
    await rm(temporary, { force: true });
  }
}

/** What is to be replaced; null for nothing, and for a symlink that is not to be followed. */
async function existingFile(file: string, follow: boolean): Promise<BigIntStats | null> {
  const existing = await statOrNull(file, follow ? stat : lstat);
  return existing?.isSymbolicLink() ? null : existing;
}

async function fill(temporary: string, chunks: readonly Uint8Array[], mode: number | undefined): Promise<BigIntStats> {
  const handle = await open(temporary, 'wx', mode ?? 0o666);
  try {
    await writeAll(handle, chunks);
    const made = await handle.stat({ bigint: true });
    // What open was given is cut by the umask; a kept mode must be exact.
    if (mode !== undefined && modeOf(made) !== mode) {
      await handle.chmod(mode);
      made.mode = BigInt(mode);
    }
    await handle.sync();
    return made;
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let position = 0;
  for (const chunk of chunks) {
    let done = 0;
    while (done < chunk.byteLength) {
      const { bytesWritten } = await handle.write(chunk, done, chunk.byteLength - done, position);
      done += bytesWritten;
      position += bytesWritten;
    }
  }
}

/** False when the file would change hands: then only writing in place keeps its owner. */
async function takeOwner(temporary: string, made: BigIntStats, existing: BigIntStats): Promise<boolean> {
  if (made.uid === existing.uid && made.gid === existing.gid) return true;
  try {
    await chown(temporary, Number(existing.uid), Number(existing.gid));
    // chown clears the set-user-ID bits.
    await chmod(temporary, modeOf(made));
    return true;
  } catch (error) {
    // In a sandbox others have no number that could be given.
    if (errorName(error) === 'EPERM' || errorName(error) === 'EINVAL') return false;
    throw error;
  }
}

/** The complete copy stays beside the file until the file itself is whole again, for `settleLeftovers`. */
async function copyInPlace(temporary: string, file: string): Promise<void> {
  const complete = completePath(temporary);
  await rename(temporary, complete);
  await syncFolder(path.dirname(file));
  await copyOver(complete, file);
  await rm(complete);
}

async function copyOver(source: string, file: string): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const from = cleanup.adopt(await open(source, 'r'), (handle) => handle.close());
  const to = cleanup.adopt(await open(file, 'r+'), (handle) => handle.close());
  const buffer = Buffer.allocUnsafe(COPY_BYTES);
  let position = 0;
  for (;;) {
    const { bytesRead } = await from.read(buffer, 0, COPY_BYTES, position);
    if (bytesRead === 0) break;
    let done = 0;
    while (done < bytesRead) done += (await to.write(buffer, done, bytesRead - done, position + done)).bytesWritten;
    position += bytesRead;
  }
  await to.truncate(position);
  await to.sync();
}

/** Makes a rename or removal last through a power cut. Windows has no such call and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems can't sync folders; the write itself is done.
    if (errorName(error) !== 'EINVAL' && errorName(error) !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o7777;
}

async function statOrNull(file: string, look: typeof stat | typeof lstat = stat): Promise<BigIntStats | null> {
  try {
    return await look(file, { bigint: true });
  } catch (error) {
    if (errorName(error) === 'ENOENT') return null;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'ENOTDIR') return [];
    throw error;
  }
}
