/** The last bytes of a stream, in bounded memory. */
export interface RecentBytes {
  write(bytes: Uint8Array): void;
  read(): Buffer;
}

/** Keeps at most `most` bytes, and holds hardly more. Chunks are kept as they come: nothing is copied on the way. */
export function createRecentBytes(most: number): RecentBytes {
  let chunks: Uint8Array[] = [];
  let first = 0;
  let size = 0;
  return {
    write(bytes) {
      chunks.push(bytes);
      size += bytes.length;
      for (let oldest = chunks[first]; oldest && size - oldest.length >= most; oldest = chunks[first]) {
        size -= oldest.length;
        first += 1;
      }
      // Now and then, so that a flood of small chunks stays linear.
      if (first > 64 && first * 2 > chunks.length) {
        chunks = chunks.slice(first);
        first = 0;
      }
    },
    read: () => Buffer.concat(chunks.slice(first)).subarray(-most),
  };
}
