const LINE_FEED = 0x0a;

export interface LineSplitterOptions {
  /** Bytes that a line may have at most. */
  maxBytes: number;
  /** A whole line, without its line feed. */
  onLine(line: Buffer): void;
  /** The beginning of a line that is too long; the rest of it is thrown away. */
  onTooLong(head: Buffer): void;
}

/**
 * Cuts a stream of chunks into lines. Chunks are joined once, at the end of a line, so that a message of many megabytes
 * costs time in proportion to its size. A character split between chunks stays whole.
 */
export function createLineSplitter({ maxBytes, onLine, onTooLong }: LineSplitterOptions): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let size = 0;
  let skipping = false;

  function add(piece: Buffer): void {
    if (skipping || piece.length === 0) return;
    pending.push(piece);
    size += piece.length;
    if (size <= maxBytes) return;
    skipping = true;
    onTooLong(take().subarray(0, maxBytes));
  }

  function take(): Buffer {
    const line = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending, size);
    pending = [];
    size = 0;
    return line;
  }

  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      if (skipping) skipping = false;
      else onLine(take());
      start = end + 1;
    }
    add(chunk.subarray(start));
  };
}
