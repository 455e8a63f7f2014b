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

/** See `FileOperator.holds`. Reads no more than is compared, so it need not ask first what kind of file it is. @throws the system's error. */
export async function fileHolds(file: string, expected: Uint8Array): Promise<boolean> {
  const same = await ifThere(async () => {
    await using stack = new AsyncDisposableStack();
    const handle = stack.adopt(await open(file, READ_FLAGS), (opened) => opened.close());
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, expected.length + 1));
    for (let offset = 0; ;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      const piece = expected.subarray(offset, offset + bytesRead);
      offset += bytesRead;
      if (bytesRead > piece.length || Buffer.compare(buffer.subarray(0, bytesRead), piece) !== 0) return false;
      if (bytesRead === 0 || (offset === expected.length && bytesRead < buffer.length))
        return offset === expected.length;
    }
  });
  return same ?? false;
}

/** SHA-256 in hexadecimal of a file of this many bytes; undefined when there is none. @throws the system's error. */
export function digestOfFile(file: string, size: number): Promise<string | undefined> {
  return ifThere(() =>
    withRegularFile(file, async (handle, found) => {
      if (found !== size) return undefined;
      const hash = createHash('sha256');
      for await (const piece of piecesOf(handle, size)) hash.update(piece);
      return hash.digest('hex');
    }),
  );
}

/** Undefined when there is no file. */
async function ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'EISDIR') return undefined;
    throw error;
  }
}

/** The bytes of a file that is so long, in one buffer that is used again and again. */
async function* piecesOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size));
  for (let offset = 0; offset < size;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - offset), offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

// Without O_NONBLOCK opening a pipe would wait for its other end, without a deadline.
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a file for reading, and closes it. Refuses what is none: a pipe would be waited for, a device never ends. */
async function withRegularFile<T>(file: string, work: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  const handle = await open(file, READ_FLAGS);
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
