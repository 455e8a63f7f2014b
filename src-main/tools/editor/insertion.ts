import { CausewayError } from '../../../src-shared/index.ts';
import type { Patch } from '../../history/index.ts';
import { alignedIndex, encodeFor, lineEndAt, type TextFile } from './text-file.ts';

/**
 * Where and what to write so that `text` becomes lines of its own after line `line`. They take the file's line ends; a file
 * without a last line end stays without.
 * @throws CausewayError `bad_input` when the file has fewer lines.
 */
export function planInsertion(file: TextFile, text: string, line: number): Patch {
  const { at, afterLineEnd } = findLineEnd(file, line);
  const lineBreak = text.includes('\r') ? '\n' : lineEndAt(file, at);
  const lines = text.replaceAll('\n', lineBreak);
  if (!afterLineEnd) return { offset: at, length: 0, bytes: encodeFor(file, lineEndAt(file, at) + lines) };
  return { offset: at, length: 0, bytes: encodeFor(file, text.endsWith('\n') ? lines : lines + lineBreak) };
}

/** Where line `line` ends; `afterLineEnd` is false at the end of a last line that has no line end. */
function findLineEnd(file: TextFile, line: number): { at: number; afterLineEnd: boolean } {
  const feed = encodeFor(file, '\n');
  let at = file.start;
  for (let count = 0; count < line; count += 1) {
    const next = alignedIndex(file, feed, at);
    if (next === undefined) {
      const lastLineIsOpen = at < file.bytes.length;
      if (lastLineIsOpen && count === line - 1) return { at: file.bytes.length, afterLineEnd: false };
      throw noSuchLine(file, line, lastLineIsOpen ? count + 1 : count);
    }
    at = next + feed.length;
  }
  return { at, afterLineEnd: true };
}

function noSuchLine(file: TextFile, line: number, total: number): CausewayError {
  return new CausewayError('bad_input', `insert_line is ${line}, but ${file.path} has ${total} lines.`, {
    hint: `Give a number from 0 (the top) to ${total} (the end).`,
  });
}
