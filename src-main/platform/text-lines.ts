import { setImmediate as nextTurn } from 'node:timers/promises';
import { unitWidth, type TextEncoding } from './text-encoding.ts';

const LINE_FEED = 0x0a;
/** Bytes whose lines are counted between two turns of the event loop: a few milliseconds. */
const SLICE_BYTES = 4 * 1024 * 1024;

/** True when a line feed of this encoding begins at `at`. */
function isLineFeed(bytes: Uint8Array, at: number, encoding: TextEncoding): boolean {
  if (encoding === 'utf16le') return bytes[at] === LINE_FEED && bytes[at + 1] === 0;
  if (encoding === 'utf16be') return bytes[at] === 0 && bytes[at + 1] === LINE_FEED;
  return bytes[at] === LINE_FEED;
}

/** Line feeds that begin in `[start, end)`; `start` lies on a code unit. */
export function countLineFeeds(
  bytes: Uint8Array,
  encoding: TextEncoding,
  start = 0,
  end: number = bytes.length,
): number {
  let count = 0;
  if (unitWidth(encoding) === 1) {
    // The plain loop is the hot one: hundreds of megabytes go through it.
    for (let at = start; at < end; at += 1) if (bytes[at] === LINE_FEED) count += 1;
    return count;
  }
  for (let at = start; at < end; at += 2) if (isLineFeed(bytes, at, encoding)) count += 1;
  return count;
}

/** The number, from 1, of the line that holds `at`; lets the event loop turn while it counts through a large file. */
export async function lineNumberAt(bytes: Uint8Array, encoding: TextEncoding, at: number): Promise<number> {
  let line = 1;
  for (let start = 0; start < at; start += SLICE_BYTES) {
    if (start > 0) await nextTurn();
    line += countLineFeeds(bytes, encoding, start, Math.min(start + SLICE_BYTES, at));
  }
  return line;
}

/** Where the line that holds `at` begins, and then `above` lines further up; never before `floor`. */
export function lineStart(bytes: Uint8Array, encoding: TextEncoding, at: number, above = 0, floor = 0): number {
  const width = unitWidth(encoding);
  let left = above;
  for (let position = at - width; position >= floor; position -= width) {
    if (!isLineFeed(bytes, position, encoding)) continue;
    if (left === 0) return position + width;
    left -= 1;
  }
  return floor;
}

/** Just behind the line feed that ends the line holding `at`, and then `below` lines further down; never after the end. */
export function lineEnd(bytes: Uint8Array, encoding: TextEncoding, at: number, below = 0): number {
  const width = unitWidth(encoding);
  let left = below;
  for (let position = at; position < bytes.length; position += width) {
    if (!isLineFeed(bytes, position, encoding)) continue;
    if (left === 0) return position + width;
    left -= 1;
  }
  return bytes.length;
}
