import { isAscii, isUtf8 } from 'node:buffer';
import { guessLegacyEncoding } from './legacy-encoding.ts';
import { startsWith, UTF16BE_MARK, UTF16LE_MARK, type TextEncoding } from './text-encoding.ts';

/** Bytes by which a file is judged. */
const PROBE_BYTES = 64 * 1024;
/** Bytes looked through at a time for the first one that is not ASCII. */
const SCAN_BYTES = 1024 * 1024;
/** UTF-16 without a mark is believed from this many bytes on. */
const LEAST_WIDE_BYTES = 16;

/**
 * The encoding of a file's bytes; undefined for a binary file. Judged by the first 64 KB, and where these are plain ASCII by the
 * 64 KB from the first byte on that is not: the same bytes always give the same answer.
 * @param part says that `bytes` is only the beginning of the file, so that a character cut at the end is no evidence.
 */
export function detectEncoding(bytes: Uint8Array, { part = false }: { part?: boolean } = {}): TextEncoding | undefined {
  // FF FE 00 00 marks UTF-32, which nothing here can write.
  if (startsWith(bytes, UTF16LE_MARK))
    return bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0 ? undefined : 'utf16le';
  if (startsWith(bytes, UTF16BE_MARK)) return 'utf16be';
  const head = bytes.subarray(0, PROBE_BYTES);
  if (head.includes(0)) return wideEncoding(head, part || bytes.length > head.length);
  const start = isAscii(head) ? firstNotAscii(bytes, head.length) : 0;
  if (start === undefined) return 'utf8';
  const probe = bytes.subarray(start, start + PROBE_BYTES);
  const isCut = part || start + probe.length < bytes.length;
  if (isUtf8(isCut ? withoutCutCharacter(probe) : probe)) return 'utf8';
  return guessLegacyEncoding(probe, isCut) ?? 'latin1';
}

function firstNotAscii(bytes: Uint8Array, from: number): number | undefined {
  for (let at = from; at < bytes.length; at += SCAN_BYTES) {
    const piece = bytes.subarray(at, at + SCAN_BYTES);
    if (!isAscii(piece)) return at + piece.findIndex((byte) => byte >= 0x80);
  }
  return undefined;
}

/**
 * UTF-16 without a byte order mark, where that is beyond doubt: every second byte is mostly NUL and the ones between never are,
 * and read so it is text without control characters or halves of characters.
 */
function wideEncoding(head: Uint8Array, isCut: boolean): TextEncoding | undefined {
  if (head.length < LEAST_WIDE_BYTES || (!isCut && head.length % 2 !== 0)) return undefined;
  const nuls: [number, number] = [0, 0];
  head.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2 === 0 ? 0 : 1] += 1;
  });
  if (Math.min(...nuls) > 0 || Math.max(...nuls) * 4 < head.length) return undefined;
  const whole = Buffer.from(head.subarray(0, head.length - (head.length % 2)));
  const encoding = nuls[1] > 0 ? 'utf16le' : 'utf16be';
  const text = (encoding === 'utf16le' ? whole : whole.swap16()).toString('utf16le');
  // The last unit of a part may be the first half of a character.
  const judged = isCut ? text.slice(0, -1) : text;
  return /^(?:[\t\n\f\r]|[^\p{C}])+$/u.test(judged) ? encoding : undefined;
}

/** Without the beginning of a UTF-8 character (at most three bytes) that the end of a part cut off. */
function withoutCutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const whole = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return whole > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}
