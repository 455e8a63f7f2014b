import { constants, inflateSync } from 'node:zlib';

/** What is unpacked of a document, in all and of one stream, in bytes: enough for thousands of pages. */
const MOST_UNPACKED_BYTES = 8 * 1024 * 1024;
const MOST_STREAM_BYTES = 1024 * 1024;
/** How far a dictionary may reach, in characters: the list of a node's children can be long. */
const MOST_DICTIONARY = 64 * 1024;

/**
 * The number of pages of a PDF document, by the root of its page tree (ISO 32000, 7.7.3): the node that counts most. Undefined
 * where it can't be told cheaply, as in an encrypted document.
 */
export function countPdfPages(bytes: Uint8Array): number | undefined {
  const counts = [plainText(bytes), ...objectStreams(bytes)].flatMap(pageTreeCounts);
  return counts.length > 0 ? Math.max(...counts) : undefined;
}

function pageTreeCounts(text: string): number[] {
  return [...text.matchAll(/\/Type\s*\/Pages\b/g)].flatMap(({ index }) => {
    const [, count] = /\/Count\s+(\d{1,7})\b/.exec(dictionaryAround(text, index)) ?? [];
    return count === undefined ? [] : [Number(count)];
  });
}

/** The dictionary that holds the entry at `at`; dictionaries within it count as part of it. */
function dictionaryAround(text: string, at: number): string {
  return text.slice(edge(text, at, -1, '<', '>'), edge(text, at, 1, '>', '<'));
}

/** Where the dictionary ends in one direction: at the double bracket that nothing between answers. */
function edge(text: string, from: number, step: 1 | -1, closing: string, opening: string): number {
  let depth = 0;
  for (let at = from; at >= 0 && at < text.length && Math.abs(at - from) < MOST_DICTIONARY; at += step) {
    if (text[at] !== text[at + step]) continue;
    if (text[at] === opening) depth += 1;
    else if (text[at] === closing) depth -= 1;
    else continue;
    if (depth < 0) return at;
    at += step;
  }
  return from;
}

/** From version 1.5 on the page tree is mostly in compressed streams of objects. */
function* objectStreams(bytes: Uint8Array): Generator<string> {
  const text = plainText(bytes);
  let room = MOST_UNPACKED_BYTES;
  for (const { index, 0: opening } of text.matchAll(/\/Type\s*\/ObjStm\b[^]{0,300}?>>\s*stream\r?\n/g)) {
    if (room <= 0) return;
    const unpacked = unpack(bytes.subarray(index + opening.length));
    room -= unpacked.length;
    yield plainText(unpacked);
  }
}

function unpack(bytes: Uint8Array): Uint8Array {
  try {
    // The stream's end needs not be known: what follows the packed data is not looked at.
    const options = { maxOutputLength: MOST_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
    return inflateSync(bytes.subarray(0, MOST_STREAM_BYTES), options);
  } catch {
    // Encrypted, damaged, or larger than any list of objects.
    return new Uint8Array(0);
  }
}

function plainText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
