import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { CausewayError } from '../../src-shared/index.ts';
import { errorName } from './file-errors.ts';

/** Bytes compared or hashed at a time. */
const PIECE_BYTES = 1024 * 1024;
/** The most that one system call moves, in bytes; longer reads are made of several. */
const READ_BYTES = 64 * 1024 * 1024;
/** From this size on, in bytes, what is read is in memory that threads share: it goes to another one, and back, without a copy. */
const SHARED_BYTES = 256 * 1024;

/** See `FileOperator.read`. @throws the system's error. */
export function readFile(file: string, range: { offset: number; length: number } | undefined): Uint8Array {
  return withRegularFile(file, (descriptor, size) => {
    const offset = range?.offset ?? 0;
    if (size === 0) {
      // Files that do not say how long they are (/proc) are read to their end.
      return readFileSync(descriptor).subarray(offset, range && offset + range.length);
    }
    const available = Math.max(0, size - offset);
    return readBytes(descriptor, offset, Math.min(range?.length ?? available, available));
  });
}

/** See `FileOperator.holds`. Reads no more than is compared, so it need not ask first what kind of file it is. @throws the system's error. */
export function fileHolds(file: string, expected: Uint8Array): boolean {
  const same = ifThere(() => {
    using stack = new DisposableStack();
    const descriptor = stack.adopt(openSync(file, READ_FLAGS), closeSync);
    const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, expected.length + 1));
    for (let offset = 0; ;) {
      const bytesRead = readSync(descriptor, buffer, 0, buffer.length, offset);
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
export function digestOfFile(file: string, size: number): string | undefined {
  return ifThere(() =>
    withRegularFile(file, (descriptor, found) => {
      if (found !== size) return undefined;
      const hash = createHash('sha256');
      for (const piece of piecesOf(descriptor, size)) hash.update(piece);
      return hash.digest('hex');
    }),
  );
}

/** Undefined when there is no file. */
function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (errorName(error) === 'ENOENT' || errorName(error) === 'EISDIR') return undefined;
    throw error;
  }
}

/** The bytes of a file that is so long, in one buffer that is used again and again. */
function* piecesOf(descriptor: number, size: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size));
  for (let offset = 0; offset < size;) {
    const bytesRead = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - offset), offset);
    if (bytesRead === 0) return;
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

// Without O_NONBLOCK opening a pipe would wait for its other end, without a deadline.
const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a file for reading, and closes it. Refuses what is none: a pipe would be waited for, a device never ends. */
function withRegularFile<T>(file: string, work: (descriptor: number, size: number) => T): T {
  const descriptor = openSync(file, READ_FLAGS);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) throw Object.assign(new Error('Is a directory'), { code: 'EISDIR' });
    if (!stats.isFile()) {
      throw new CausewayError('bad_input', `${file} is not a regular file (a device, pipe or socket).`);
    }
    return work(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}

function readBytes(descriptor: number, offset: number, length: number): Uint8Array {
  const bytes = length < SHARED_BYTES ? Buffer.allocUnsafeSlow(length) : Buffer.from(new SharedArrayBuffer(length));
  let done = 0;
  while (done < length) {
    const bytesRead = readSync(descriptor, bytes, done, Math.min(READ_BYTES, length - done), offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
