import type { FileCall } from '../calls/file-call.ts';
import type { Failure } from '../calls/failure.ts';

/** A file without attributes, and the state in which it had none. */
export type PlainFile = readonly [file: string, state: string];

/** What a thread is asked for. */
export interface ThreadRequest {
  readonly id: number;
  readonly call: FileCall;
  readonly payload: readonly Uint8Array[];
  /** What the last thread that wrote this path found out. */
  readonly plain?: PlainFile | undefined;
}

/** What it gives back. */
export interface ThreadAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly payload?: Uint8Array;
  readonly failure?: Failure;
  readonly plain?: PlainFile | undefined;
}

/** True for bytes in memory that threads share: they go to another one without a copy. */
export function isShared(bytes: Uint8Array): boolean {
  return bytes.buffer instanceof SharedArrayBuffer;
}

/** What a message need not copy: bytes that have their memory for themselves. */
export function movable(pieces: readonly Uint8Array[]): ArrayBuffer[] {
  return pieces.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0 ? [buffer] : [],
  );
}
