import { Transform, type TransformCallback } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

const NEWLINE = 0x0a;
/** How much of both ends of a dropped line is kept, in bytes: enough to find its request id. */
const EDGE_BYTES = 512;

/** A line that was too long to be let through: its ends, as text. */
export interface DroppedLine {
  head: string;
  tail: string;
}

export interface LineLimitOptions {
  maxBytes: number;
  onDropped: (line: DroppedLine) => void;
  /** Awaited when the last line has been read, before the reader is told that it was the last. */
  beforeEnd?: () => Promise<void>;
}

/**
 * Lets whole lines through, each in one piece, and drops those longer than `maxBytes`: behind it, a reader needs no limit of
 * its own (the SDK's reader ends the connection at its limit). A last line gets the line break it lacks.
 */
export function createLineLimit({ maxBytes, onDropped, beforeEnd }: LineLimitOptions): Transform {
  let pieces: Buffer[] = [];
  let length = 0;
  let dropping = false;

  function take(piece: Buffer): void {
    length += piece.length;
    pieces.push(piece);
    if (length <= maxBytes && !dropping) return;
    dropping = true;
    // Of a line that will be dropped, only the ends are kept, however long it gets.
    const all = Buffer.concat(pieces);
    pieces = all.length > 2 * EDGE_BYTES ? [all.subarray(0, EDGE_BYTES), all.subarray(-EDGE_BYTES)].map(copy) : [all];
  }

  function endLine(output: Transform): void {
    const line = Buffer.concat(pieces);
    if (dropping) {
      onDropped({
        head: line.subarray(0, EDGE_BYTES).toString('utf8'),
        tail: line.subarray(-EDGE_BYTES).toString('utf8'),
      });
    } else output.push(line);
    pieces = [];
    length = 0;
    dropping = false;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, callback: TransformCallback) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        take(chunk.subarray(start, end + 1));
        endLine(this);
        start = end + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
      callback();
    },
    flush(callback) {
      if (length > 0) {
        take(Buffer.from('\n'));
        endLine(this);
      }
      void drained(this)
        .then(beforeEnd)
        .then(() => callback(), callback);
    },
  });
}

/** Resolves when the reader has taken all there is. */
async function drained(output: Transform): Promise<void> {
  while (output.readableLength > 0 && !output.destroyed) await nextTurn();
}

/** A copy, so that the large buffer it was cut from can be freed. */
function copy(piece: Buffer): Buffer {
  return Buffer.from(piece);
}
