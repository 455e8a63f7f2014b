import { CausewayError } from '../../../src-shared/index.ts';
import type { FileOperator } from '../../operator/index.ts';
import {
  createBoundaries,
  detectEncoding,
  encodeText,
  encodingName,
  markLength,
  type TextEncoding,
} from '../../platform/index.ts';

/** The largest file that is edited, in bytes: it is held in memory, old and new. */
const MAX_EDIT_BYTES = 1024 * 1024 * 1024;

/** A text file as bytes, with what it takes to read and write text in it. */
export interface TextFile {
  path: string;
  bytes: Uint8Array;
  encoding: TextEncoding;
  /** Where the text begins, behind a byte order mark. */
  start: number;
  /** The file's stamp before it was read. */
  stamp: string;
}

/** Reads a file that is to be edited. @throws CausewayError when it is missing, a folder, binary or too large. */
export async function readTextFile(files: FileOperator, path: string): Promise<TextFile> {
  const stat = await files.stat(path);
  if (stat === null) {
    throw new CausewayError('not_found', `There is no file ${path}.`, { hint: 'Check the path, or create the file.' });
  }
  if (stat.kind === 'directory') {
    throw new CausewayError('bad_input', `${path} is a folder, not a file.`, { hint: 'Only view takes folders.' });
  }
  if (stat.size > MAX_EDIT_BYTES) {
    throw new CausewayError('bad_input', `${path} is too large to edit here (${stat.size} bytes).`, {
      hint: 'Change it with a program in the shell; the history does not cover that.',
    });
  }
  const bytes = await files.read(path);
  const encoding = detectEncoding(bytes);
  if (encoding === undefined) {
    throw new CausewayError('bad_input', `${path} is a binary file, so there is no text to edit in it.`);
  }
  return { path, bytes, encoding, start: markLength(bytes, encoding), stamp: stat.stamp };
}

/** Text as bytes of this file. @throws CausewayError `bad_input` when its encoding lacks a character. */
export function encodeFor(file: TextFile, text: string): Buffer {
  const bytes = encodeText(text, file.encoding);
  if (bytes) return bytes;
  const culprit = [...text].find((character) => encodeText(character, file.encoding) === undefined) ?? '';
  throw new CausewayError(
    'bad_input',
    `${file.path} is in ${encodingName(file.encoding)}, which has no character "${culprit}".`,
    {
      hint: 'Write it without that character, or create the file anew (overwrite: true), which makes it UTF-8 then.',
    },
  );
}

/**
 * The line end in use around a place: that of the line the place is in, else of the line before; `\n` in a file of one line.
 */
export function lineEndAt(file: TextFile, at: number): '\n' | '\r\n' {
  const feed = encodeFor(file, '\n');
  const position = alignedIndex(file, feed, at) ?? lastAlignedIndex(file, feed, at);
  return position !== undefined && endsWithReturn(file, position) ? '\r\n' : '\n';
}

/** True when a carriage return stands right before `at`. */
export function endsWithReturn(file: TextFile, at: number): boolean {
  const ret = encodeFor(file, '\r');
  const start = at - ret.length;
  return start >= file.start && ret.equals(file.bytes.subarray(start, at));
}

/** Where `needle`, which is whole characters, next begins at or after `from` as such: not in the middle of a character. */
export function alignedIndex(file: TextFile, needle: Uint8Array, from: number): number | undefined {
  const begins = createBoundaries(file.bytes, file.encoding);
  const haystack = asBuffer(file.bytes);
  let at = haystack.indexOf(needle, from);
  while (at !== -1 && !begins(at)) at = haystack.indexOf(needle, at + 1);
  return at === -1 ? undefined : at;
}

/** Where `needle` last begins before `end` as whole characters. */
function lastAlignedIndex(file: TextFile, needle: Uint8Array, end: number): number | undefined {
  const begins = createBoundaries(file.bytes, file.encoding);
  const haystack = asBuffer(file.bytes.subarray(0, end));
  let at = haystack.lastIndexOf(needle);
  while (at > 0 && !begins(at)) at = haystack.lastIndexOf(needle, at - 1);
  return at < file.start ? undefined : at;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
