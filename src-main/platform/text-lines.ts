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
  if (unitWidth(encoding) === 1) return countByte(bytes, LINE_FEED, start, end);
  let count = 0;
  for (let at = start; at < end; at += 2) if (isLineFeed(bytes, at, encoding)) count += 1;
  return count;
}

/** Words counted between two sums: more, and one of the four counters in a word could run over. */
const SUMMED_WORDS = 255;

/**
 * Four bytes at a time, because hundreds of megabytes go through here. Signed words and no branches: so it stays in the processor's
 * own numbers, and takes a tenth of the time of the plain loop.
 */
function countByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let count = 0;
  let at = start;
  for (; at < end && (bytes.byteOffset + at) % 4 !== 0; at += 1) if (bytes[at] === byte) count += 1;
  const wholeWords = Math.max(0, (end - at) >> 2);
  const words = wholeWords > 0 ? new Int32Array(bytes.buffer, bytes.byteOffset + at, wholeWords) : new Int32Array(0);
  const pattern = Math.imul(byte, 0x01010101);
  for (let first = 0; first < wholeWords; first += SUMMED_WORDS) {
    const last = Math.min(first + SUMMED_WORDS, wholeWords);
    let four = 0;
    for (let index = first; index < last; index += 1) {
      // A byte of `difference` is zero where the wanted one stands; then, and only then, its high bit is set in `found`.
      const difference = (words[index] ?? 0) ^ pattern;
      const found = ~(((difference & 0x7f7f7f7f) + 0x7f7f7f7f) | 0 | difference | 0x7f7f7f7f);
      four = (four + ((found >>> 7) & 0x01010101)) | 0;
    }
    count += (four & 0xff) + ((four >>> 8) & 0xff) + ((four >>> 16) & 0xff) + (four >>> 24);
  }
  for (at += wholeWords * 4; at < end; at += 1) if (bytes[at] === byte) count += 1;
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
