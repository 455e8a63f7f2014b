import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import { createAttributeKeeper } from './attributes.ts';
import type { FileKind, FileOperator } from './contract.ts';
import { errorName, explained } from './file-errors.ts';
import { settleLeftovers, syncFolder, writeFile } from './write-file.ts';

/** Bytes compared at a time. */
const COMPARE_BYTES = 1024 * 1024;
/** The most that one system call moves, in bytes; longer reads are made of several. */
const READ_BYTES = 64 * 1024 * 1024;

/** This machine's files, directly. */
export function createLocalFiles(): FileOperator {
  const attributes = createAttributeKeeper();
  return {
    stat: (file) => explained('looked at', file, () => statFile(file)),
    read: (file, range) => explained('read', file, () => readFile(file, range)),
    holds: (file, expected) => explained('read', file, () => fileHolds(file, expected)),
    write: (file, chunks, { mode } = {}) =>
      explained('written', file, () =>
        writeFile(attributes, file, chunks instanceof Uint8Array ? [chunks] : chunks, mode),
      ),
    remove: (file) => explained('removed', file, () => removeFile(file)),
    list: (folder) => explained('listed', folder, () => listFolder(folder)),
    settle: (file) => explained('written', file, () => settleLeftovers(file)),
  };
}

async function statFile(file: string): ReturnType<FileOperator['stat']> {
  try {
    const stats = await stat(file, { bigint: true });
    return {
      kind: kindOf(stats),
      size: Number(stats.size),
      mode: Number(stats.mode) & 0o7777,
      mtimeMs: Number(stats.mtimeNs) / 1e6,
      stamp: [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':'),
    };
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'ENOTDIR') return null;
    throw error;
  }
}

async function readFile(file: string, range: { offset: number; length: number } | undefined): Promise<Uint8Array> {
  return withRegularFile(file, async (handle, size) => {
    const offset = range?.offset ?? 0;
    if (size === 0) {
      // Files that do not say how long they are (/proc) are read to their end.
      const bytes = await handle.readFile();
      return bytes.subarray(offset, range && offset + range.length);
    }
    const available = Math.max(0, size - offset);
    return readBytes(handle, offset, Math.min(range?.length ?? available, available));
  });
}

async function fileHolds(file: string, expected: Uint8Array): Promise<boolean> {
  try {
    return await withRegularFile(file, (handle, size) =>
      size === expected.length ? sameBytes(handle, expected) : Promise.resolve(false),
    );
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'EISDIR') return false;
    throw error;
  }
}

async function sameBytes(handle: FileHandle, expected: Uint8Array): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(Math.min(COMPARE_BYTES, expected.length));
  let offset = 0;
  while (offset < expected.length) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    const piece = expected.subarray(offset, offset + bytesRead);
    if (bytesRead === 0 || Buffer.compare(buffer.subarray(0, bytesRead), piece) !== 0) return false;
    offset += bytesRead;
  }
  return true;
}

/** Opens a file for reading, and closes it. Refuses what is none: a pipe would be waited for, a device never ends. */
async function withRegularFile<T>(file: string, work: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  // Without O_NONBLOCK opening a pipe would wait for its other end, without a deadline.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw Object.assign(new Error('Is a directory'), { code: 'EISDIR' });
    if (!stats.isFile()) {
      throw new CausewayError('bad_input', `${file} is not a regular file (a device, pipe or socket).`);
    }
    return await work(handle, stats.size);
  } finally {
    await handle.close();
  }
}

async function readBytes(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, Math.min(READ_BYTES, length - done), offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (errorName(error) === 'ENOENT') return;
    throw error;
  }
  await syncFolder(path.dirname(file));
}

async function listFolder(folder: string): ReturnType<FileOperator['list']> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function kindOf(entry: BigIntStats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
