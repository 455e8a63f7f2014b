import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import type { OutputStore } from './contract.ts';

const HANDLE = /^out-[0-9a-f-]{36}$/;

/** Whole outputs, one file each under `folder`. */
export function createOutputStore(folder: string): OutputStore {
  return {
    create() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const handle = `out-${randomUUID()}`;
      const fd = openSync(path.join(folder, handle), 'wx', 0o600);
      let totalBytes = 0;
      let open = true;
      return {
        handle,
        get totalBytes() {
          return totalBytes;
        },
        write(bytes) {
          if (!open) return;
          let written = 0;
          while (written < bytes.byteLength) written += writeSync(fd, bytes, written);
          totalBytes += bytes.byteLength;
        },
        close() {
          if (!open) return;
          open = false;
          closeSync(fd);
        },
      };
    },
    read(handle, offset, length) {
      const fd = openForReading(folder, handle);
      try {
        const totalBytes = fstatSync(fd).size;
        const start = Math.min(offset, totalBytes);
        const bytes = Buffer.alloc(Math.min(length, totalBytes - start));
        const count = readSync(fd, bytes, 0, bytes.length, start);
        return { text: bytes.subarray(0, count).toString('utf8'), offset: start, totalBytes };
      } finally {
        closeSync(fd);
      }
    },
  };
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
