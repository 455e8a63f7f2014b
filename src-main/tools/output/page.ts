import type { OutputPage } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { wholeCharacters } from './lines.ts';

/** Bytes of a page, about. */
const PAGE = 64 * 1024;
const BREAK = 0x0a;

/**
 * A page of a kept output for a person: from byte `at` on, or what stands before it. It ends at line ends where there are any, and
 * never within a character. @throws CausewayError `not_found`.
 */
export function readPage(
  outputs: OutputStore,
  { handle, at, backwards }: { handle: string; at: number; backwards: boolean },
): OutputPage {
  const from = backwards ? Math.max(0, at - PAGE) : at;
  const { bytes, offset, totalBytes } = outputs.readBytes(handle, from, backwards ? at - from : PAGE);
  const window = Buffer.from(bytes);
  const start = backwards && offset > 0 ? lineStart(window) : 0;
  const end = offset + window.length < totalBytes && !backwards ? lineEnd(window) : window.length;
  return {
    text: window.toString('utf8', start, end),
    start: offset + start,
    end: offset + end,
    totalBytes,
  };
}

/** Behind the first line break, or at the first whole character where there is none. */
function lineStart(window: Buffer): number {
  const after = window.indexOf(BREAK) + 1;
  if (after > 0 && after < window.length) return after;
  const character = window.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, character);
}

/** Behind the last line break, or behind the last whole character where there is none. */
function lineEnd(window: Buffer): number {
  return window.lastIndexOf(BREAK) + 1 || wholeCharacters(window);
}
