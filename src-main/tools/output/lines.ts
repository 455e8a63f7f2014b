import { setImmediate as nextTurn } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { OutputStore } from '../../store/index.ts';

/** Bytes that are read at a time; between two windows the program does other things. */
const WINDOW = 1024 * 1024;
/** A longer line is given in pieces of this size, in characters, each under the line's number. */
const LONGEST = 256 * 1024;

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * The lines of a kept output, in groups as they are read, without escape sequences.
 * @throws CausewayError `not_found`; the signal's reason.
 */
export async function* readLines(outputs: OutputStore, handle: string, signal: AbortSignal): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  let number = 1;
  for (let offset = 0; ; offset += WINDOW) {
    signal.throwIfAborted();
    const { bytes, totalBytes } = outputs.readBytes(handle, offset, WINDOW);
    const last = offset + bytes.length >= totalBytes;
    const pieces = (rest + decoder.decode(bytes, { stream: !last })).split('\n');
    rest = last ? '' : (pieces.pop() ?? '');
    // A line break at the very end does not begin another line.
    if (last && pieces.at(-1) === '') pieces.pop();
    const lines = pieces.map((text): Line => ({ number: number++, text: plain(text) }));
    if (rest.length > LONGEST) {
      lines.push({ number, text: plain(rest) });
      rest = '';
    }
    yield lines;
    if (last) return;
    await nextTurn();
  }
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/\r+$/, '').replaceAll('\r', '\u240d');
}
