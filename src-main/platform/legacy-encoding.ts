import chardet from 'chardet';
import { characterStart } from './characters.ts';
import { decodeText, isMultiByte, type TextEncoding } from './text-encoding.ts';

/** The most bytes of words that are judged: the judging takes about half a millisecond a kilobyte. */
const SAMPLE_BYTES = 8 * 1024;
/** How sure the judge must be (0 to 100), and how far ahead of the next candidate. */
const LEAST_CONFIDENCE = 30;
const LEAST_LEAD = 15;
/** With fewer bytes that are not ASCII a single-byte encoding is a guess. */
const LEAST_LETTERS = 10;
/** What Western text has between 0x80 and 0x9f in windows-1252: the euro sign, ellipsis, quotes, bullet, dashes, trademark. */
const WESTERN_SIGNS = [0x80, 0x85, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99];

const KNOWN: Readonly<Record<string, TextEncoding>> = {
  ...{ GB18030: 'gb18030', Big5: 'big5', Shift_JIS: 'shift_jis', 'EUC-JP': 'euc-jp', 'EUC-KR': 'euc-kr' },
  ...{ 'ISO-8859-1': 'latin1', 'ISO-8859-2': 'iso-8859-2', 'ISO-8859-5': 'iso-8859-5', 'ISO-8859-6': 'iso-8859-6' },
  ...{ 'ISO-8859-7': 'iso-8859-7', 'ISO-8859-8': 'iso-8859-8', 'ISO-8859-9': 'iso-8859-9', 'KOI8-R': 'koi8-r' },
  ...{ 'windows-1250': 'windows-1250', 'windows-1251': 'windows-1251', 'windows-1252': 'windows-1252' },
  ...{ 'windows-1253': 'windows-1253', 'windows-1254': 'windows-1254', 'windows-1255': 'windows-1255' },
  'windows-1256': 'windows-1256',
};

/**
 * The encoding of bytes that are not UTF-8, when they tell it clearly; else undefined. Whatever is answered, every byte of the
 * probe is a character in it.
 */
export function guessLegacyEncoding(probe: Uint8Array, isCut: boolean): TextEncoding | undefined {
  const words = wordsBeyondAscii(probe);
  const candidates = chardet
    .analyse(words)
    .map(({ name, confidence }) => ({ encoding: KNOWN[name], confidence }))
    .filter(({ encoding }) => encoding !== undefined && isWhole(probe, encoding, isCut));
  const japanese = candidates.find(({ encoding }) => encoding === 'euc-jp');
  if (japanese && japanese.confidence >= LEAST_CONFIDENCE && hasKana(words)) return 'euc-jp';
  const [best, next] = candidates;
  const clear = best !== undefined && isClear(words, best, next);
  if (clear && best.encoding !== 'latin1' && best.encoding !== 'windows-1252') return best.encoding;
  // Nobody writes the control characters that Latin-1 has there.
  const western = probe.every((byte) => byte < 0x80 || byte > 0x9f || WESTERN_SIGNS.includes(byte));
  const hasSigns = probe.some((byte) => byte >= 0x80 && byte <= 0x9f);
  return hasSigns && (western || clear) && isWhole(probe, 'windows-1252', isCut) ? 'windows-1252' : undefined;
}

interface Candidate {
  encoding: TextEncoding | undefined;
  confidence: number;
}

function isClear(words: Uint8Array, best: Candidate, next: Candidate | undefined): boolean {
  const letters = words.filter((byte) => byte >= 0x80).length;
  return (
    letters >= LEAST_LETTERS &&
    best.confidence >= LEAST_CONFIDENCE &&
    best.confidence - (next?.confidence ?? 0) >= LEAST_LEAD
  );
}

/** The words that hold bytes beyond ASCII. The others say nothing of the encoding, and would make all text look English. */
function wordsBeyondAscii(probe: Uint8Array): Buffer {
  const words: Uint8Array[] = [];
  let length = 0;
  let start = 0;
  for (let at = 0; at <= probe.length && length < SAMPLE_BYTES; at += 1) {
    const byte = probe[at] ?? 0x0a;
    if (byte !== 0x20 && (byte < 0x09 || byte > 0x0d)) continue;
    const word = probe.subarray(start, Math.min(at, start + SAMPLE_BYTES));
    start = at + 1;
    if (!word.some((letter) => letter >= 0x80)) continue;
    words.push(word, Buffer.from(' '));
    length += word.length + 1;
  }
  return Buffer.concat(words);
}

/** True when much of it would be kana in EUC-JP: the same bytes are nothing that anybody writes in the encodings akin to it. */
function hasKana(words: Uint8Array): boolean {
  const kana = words.filter((byte) => byte === 0xa4 || byte === 0xa5).length;
  return kana * 8 > words.filter((byte) => byte >= 0x80).length;
}

/** True when every byte is part of a character of this encoding. */
function isWhole(probe: Uint8Array, encoding: TextEncoding | undefined, isCut: boolean): boolean {
  if (encoding === undefined) return false;
  const end = isCut && isMultiByte(encoding) ? characterStart(probe, encoding, probe.length - 1) : probe.length;
  return !decodeText(probe.subarray(0, end), encoding).includes('\uFFFD');
}
