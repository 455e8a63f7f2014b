import type { OutputStore, OutputWriter } from '../../store/index.ts';

/** Output of a command up to a point: everything, or head and tail with the whole under a handle. */
export interface Captured {
  readonly head: Buffer;
  /** Empty while `head` is everything. */
  readonly tail: Buffer;
  readonly totalBytes: number;
  /** Where the whole is kept; only when head and tail are not everything. */
  readonly handle: string | undefined;
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
const BATCH = 64 * 1024;

/** `keepBytes` of head and as many of tail stay in memory. */
export function createCapture({ outputs, keepBytes }: { outputs: OutputStore; keepBytes: number }): Capture {
  let head: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  let tailBytes = 0;
  let totalBytes = 0;
  let batch: Uint8Array[] = [];
  let batchBytes = 0;
  let writer: OutputWriter | undefined;

  function reset(): void {
    writer?.close();
    writer = undefined;
    head = [];
    tail = [];
    batch = [];
    tailBytes = totalBytes = batchBytes = 0;
  }

  function flush(): void {
    if (batchBytes > 0) writer?.write(Buffer.concat(batch));
    batch = [];
    batchBytes = 0;
  }

  function toDisk(bytes: Uint8Array): void {
    batch.push(bytes);
    batchBytes += bytes.length;
    if (batchBytes >= BATCH) flush();
  }

  function toTail(bytes: Uint8Array): void {
    tail.push(bytes);
    tailBytes += bytes.length;
    // Joined now and then, not at every write: a flood of small chunks stays linear.
    if (tailBytes < 2 * keepBytes) return;
    tail = [Buffer.from(Buffer.concat(tail).subarray(-keepBytes))];
    tailBytes = keepBytes;
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
        if (whole.length > keepBytes) toTail(whole.subarray(keepBytes));
      }
      toDisk(bytes);
      toTail(bytes);
    },
    discard: reset,
    take() {
      flush();
      const captured: Captured = {
        head: Buffer.concat(head),
        tail: writer ? Buffer.concat(tail).subarray(-keepBytes) : Buffer.alloc(0),
        totalBytes,
        handle: writer?.handle,
      };
      reset();
      return captured;
    },
  };
}
