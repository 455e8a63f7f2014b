import { setImmediate as nextTurn } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { OutputStore } from '../../store/index.ts';

/** Bytes that are read at a time; between two windows the program does other things. */
const WINDOW = 1024 * 1024;
/** A longer line is given in pieces of about this size, in bytes, each under the line's number. */
const LONGEST = 256 * 1024;
const BREAK = 0x0a;

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Without its break and without escape sequences. */
  readonly text: string;
}

/**
 * The lines of a kept output, in groups as they are read.
 * @throws CausewayError `not_found`; the signal's reason.
 */
export async function* readLines(outputs: OutputStore, handle: string, signal: AbortSignal): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 1;
  for (let offset = 0; ; offset += WINDOW) {
    signal.throwIfAborted();
    const { bytes, totalBytes } = outputs.readBytes(handle, offset, WINDOW);
    const last = offset + bytes.length >= totalBytes;
    const lines: Line[] = [];
    const window = rest.length > 0 ? Buffer.concat([rest, bytes]) : Buffer.from(bytes);
    let start = 0;
    function take(end: number): void {
      lines.push({ number, offset: offset - rest.length + start, text: plain(window.toString('utf8', start, end)) });
      start = end;
    }
    for (let end = window.indexOf(BREAK); end >= 0; end = window.indexOf(BREAK, start)) {
      take(end);
      start += 1;
      number += 1;
    }
    // A line break at the very end does not begin another line.
    if (last && start < window.length) take(window.length);
    if (window.length - start > LONGEST) take(wholeCharacters(window));
    yield lines;
    if (last) return;
    rest = window.subarray(start);
    await nextTurn();
  }
}

/** How many of these bytes end with a whole UTF-8 character. */
export function wholeCharacters(bytes: Uint8Array): number {
  // At most three bytes may follow a first one.
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/\r+$/, '').replaceAll('\r', '\u240d');
}
