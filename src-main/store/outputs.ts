import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writevSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import type { OutputStore } from './contract.ts';
import { pruneFolder } from './prune.ts';

const HANDLE = /^out-[0-9a-f-]{36}$/;
const MEGABYTE = 1024 * 1024;

/** What the store keeps. */
export interface OutputLimits {
  /** Of one output, in bytes; the rest is counted and not kept. */
  readonly oneBytes: number;
  /** Of all, in bytes: the oldest go first. */
  readonly allBytes: number;
  /** How long, in days. */
  readonly days: number;
  /** The folder is looked through at the first output, and again after this many bytes. */
  readonly pruneAfterBytes: number;
}

const LIMITS: OutputLimits = {
  oneBytes: 1024 * MEGABYTE,
  allBytes: 4096 * MEGABYTE,
  days: 30,
  pruneAfterBytes: 256 * MEGABYTE,
};

/** Whole outputs, one file each under `folder`, and no more of them than the limits say. */
export function createOutputStore(folder: string, limits: OutputLimits = LIMITS): OutputStore {
  const open = new Set<string>();
  let sincePrune = limits.pruneAfterBytes;
  let pruning: Promise<void> | undefined;

  function prune(): Promise<void> {
    sincePrune = 0;
    pruning ??= pruneFolder(folder, { ...limits, keep: (name) => !HANDLE.test(name) || open.has(name) }).finally(
      () => (pruning = undefined),
    );
    return pruning;
  }

  return {
    create() {
      const handle = `out-${randomUUID()}`;
      let problem: string | undefined;
      let fd: number | undefined;
      /** Output comes from running programs, where nobody could catch an error: it is told where the output is shown. */
      function attempt(work: () => void): void {
        try {
          work();
        } catch (error) {
          problem ??= describeProblem(error);
          if (fd !== undefined) makeRoom(fd);
        }
      }
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        fd = openSync(path.join(folder, handle), 'wx', 0o600);
      });
      open.add(handle);
      // After the call that needs the output.
      if (sincePrune >= limits.pruneAfterBytes) setImmediate(() => void prune());
      let totalBytes = 0;
      return {
        handle,
        get totalBytes() {
          return totalBytes;
        },
        get problem() {
          return problem;
        },
        write(bytes) {
          if (!open.has(handle)) return;
          const room = limits.oneBytes - totalBytes;
          const chunks = bytes instanceof Uint8Array ? [bytes] : bytes;
          const size = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
          totalBytes += size;
          if (problem !== undefined || fd === undefined) return;
          const file = fd;
          attempt(() => writeWhole(file, size <= room ? chunks : [Buffer.concat(chunks).subarray(0, room)]));
          if (size > room) problem ??= `only the first ${limits.oneBytes} bytes of an output are kept`;
          sincePrune += size;
        },
        close() {
          if (!open.delete(handle) || fd === undefined) return;
          const file = fd;
          attempt(() => closeSync(file));
        },
      };
    },
    read(handle, offset, length) {
      const { bytes, ...where } = readWindow(folder, handle, offset, length);
      return { text: bytes.toString('utf8'), ...where };
    },
    readBytes: (handle, offset, length) => readWindow(folder, handle, offset, length),
    prune,
  };
}

/** On a full disk the record of the call itself needs some room: half of what is kept is given back. */
function makeRoom(fd: number): void {
  try {
    ftruncateSync(fd, Math.floor(fstatSync(fd).size / 2));
  } catch {
    // Then less is recorded.
  }
}

function describeProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk with the data folder is full';
  return `it could not be written to the data folder${code && ` (${code})`}`;
}

function writeWhole(fd: number, chunks: readonly Uint8Array[]): void {
  let left = [...chunks];
  while (left.length > 0) {
    let written = writevSync(fd, left);
    while (left[0] && written >= left[0].byteLength) written -= left.shift()?.byteLength ?? 0;
    if (left[0] && written > 0) left = [left[0].subarray(written), ...left.slice(1)];
  }
}

function readWindow(
  folder: string,
  handle: string,
  offset: number,
  length: number,
): { bytes: Buffer; offset: number; totalBytes: number } {
  const fd = openForReading(folder, handle);
  try {
    const totalBytes = fstatSync(fd).size;
    const start = Math.min(offset, totalBytes);
    const bytes = Buffer.alloc(Math.min(length, totalBytes - start));
    const count = readSync(fd, bytes, 0, bytes.length, start);
    return { bytes: bytes.subarray(0, count), offset: start, totalBytes };
  } finally {
    closeSync(fd);
  }
}

function openForReading(folder: string, handle: string): number {
  // The handle becomes part of a path: nothing but our own form may pass.
  if (!HANDLE.test(handle)) throw new CausewayError('bad_input', `"${handle}" is not the name of an output.`);
  try {
    return openSync(path.join(folder, handle), 'r');
  } catch (cause) {
    throw new CausewayError('not_found', 'That output is not kept any more.', {
      hint: 'Run the command again.',
      cause,
    });
  }
}
