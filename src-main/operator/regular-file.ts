import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { CausewayError } from '../../src-shared/index.ts';
import { errorName } from './file-errors.ts';

/** Bytes compared or hashed at a time. */
const PIECE_BYTES = 1024 * 1024;
/** The most that one system call moves, in bytes; longer reads are made of several. */
const READ_BYTES = 64 * 1024 * 1024;

/** See `FileOperator.read`. @throws the system's error. */
export async function readFile(
  file: string,
  range: { offset: number; length: number } | undefined,
): Promise<Uint8Array> {
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

/** See `FileOperator.holds`. @throws the system's error. */
export async function fileHolds(file: string, expected: Uint8Array): Promise<boolean> {
  const same = await ofSize(file, expected.length, async (handle) => {
    let offset = 0;
    for await (const piece of piecesOf(handle)) {
      if (Buffer.compare(piece, expected.subarray(offset, offset + piece.length)) !== 0) return false;
      offset += piece.length;
    }
    return offset === expected.length;
  });
  return same ?? false;
}

/** SHA-256 in hexadecimal of a file of this many bytes; undefined when there is none. @throws the system's error. */
export function digestOfFile(file: string, size: number): Promise<string | undefined> {
  return ofSize(file, size, async (handle) => {
    const hash = createHash('sha256');
    for await (const piece of piecesOf(handle)) hash.update(piece);
    return hash.digest('hex');
  });
}

/** Undefined when there is no file of this size. */
async function ofSize<T>(
  file: string,
  wanted: number,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withRegularFile(file, (handle, size) => (size === wanted ? work(handle) : Promise.resolve(undefined)));
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'EISDIR') return undefined;
    throw error;
  }
}

/** All of a file, in one buffer that is used again and again. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let offset = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
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
