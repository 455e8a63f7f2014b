import type { OutputStore, OutputWriter } from '../../store/index.ts';
import { createRecentBytes } from './recent-bytes.ts';

/** Output of a command up to a point: everything, or head and tail with the whole under a handle. */
export interface Captured {
  readonly head: Buffer;
  /** Empty while `head` is everything. */
  readonly tail: Buffer;
  readonly totalBytes: number;
  /** Where the whole is kept; only when head and tail are not everything. */
  readonly handle: string | undefined;
  /** Why not all of that is kept. */
  readonly problem?: string | undefined;
}

/**
 * Gathers output in bounded memory: the first bytes, the last bytes, and once that is not everything, the whole on disk.
 */
export interface Capture {
  readonly totalBytes: number;
  write(bytes: Uint8Array): void;
  /** Forgets what came so far. */
  discard(): void;
  /** What came so far; the capture begins anew. */
  take(): Captured;
}

/** Chunks from a terminal are small; they reach the disk in pieces of this size, in bytes. */
const BATCH = 256 * 1024;

/** `keepBytes` of head and as many of tail stay in memory. */
export function createCapture({ outputs, keepBytes }: { outputs: OutputStore; keepBytes: number }): Capture {
  let head: Uint8Array[] = [];
  let tail = createRecentBytes(keepBytes);
  let totalBytes = 0;
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  let writer: OutputWriter | undefined;

  function reset(): void {
    writer?.close();
    writer = undefined;
    head = [];
    tail = createRecentBytes(keepBytes);
    batch = [];
    totalBytes = batchBytes = 0;
  }

  function flush(): void {
    if (batchBytes > 0) writer?.write(batch);
    batch = [];
    batchBytes = 0;
  }

  function toDisk(bytes: Uint8Array): void {
    batch.push(bytes);
    batchBytes += bytes.length;
    if (batchBytes >= BATCH) flush();
  }

  return {
    get totalBytes() {
      return totalBytes;
    },
    write(bytes) {
      totalBytes += bytes.length;
      if (!writer && totalBytes <= 2 * keepBytes) {
        head.push(bytes);
        return;
      }
      if (!writer) {
        writer = outputs.create();
        const whole = Buffer.concat(head);
        head = [whole.subarray(0, keepBytes)];
        toDisk(whole);
        if (whole.length > keepBytes) tail.write(whole.subarray(keepBytes));
      }
      toDisk(bytes);
      tail.write(bytes);
    },
    discard: reset,
    take() {
      flush();
      const captured: Captured = {
        head: Buffer.concat(head),
        tail: writer ? tail.read() : Buffer.alloc(0),
        totalBytes,
        handle: writer?.handle,
        problem: writer?.problem,
      };
      reset();
      return captured;
    },
  };
}
