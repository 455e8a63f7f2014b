/**
 * Cuts a stream at the first occurrence of `mark`, however the stream is cut into chunks. Bytes are held back only while
 * they may be the beginning of the mark.
 */
export interface MarkCutter {
  /** The bytes of the stream up to now that come before the mark and were not given before. */
  push(bytes: Uint8Array): Uint8Array;
  readonly found: boolean;
  /** What was held back, when the stream ended without a mark. */
  rest(): Uint8Array;
}

export function createMarkCutter(mark: string): MarkCutter {
  const wanted = Buffer.from(mark);
  let held = Buffer.alloc(0);
  let found = false;
  return {
    push(bytes) {
      if (found) return new Uint8Array();
      const buffer = held.length > 0 ? Buffer.concat([held, bytes]) : Buffer.from(bytes);
      const at = buffer.indexOf(wanted);
      found = at >= 0;
      const end = found ? at : buffer.length - beginningAtEnd(buffer, wanted);
      held = found ? Buffer.alloc(0) : buffer.subarray(end);
      return buffer.subarray(0, end);
    },
    get found() {
      return found;
    },
    rest() {
      const bytes = held;
      held = Buffer.alloc(0);
      return bytes;
    },
  };
}

/** How many bytes at the end of `buffer` are a beginning of `wanted`. */
function beginningAtEnd(buffer: Buffer, wanted: Buffer): number {
  for (let length = Math.min(buffer.length, wanted.length - 1); length > 0; length -= 1) {
    if (buffer.subarray(buffer.length - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
