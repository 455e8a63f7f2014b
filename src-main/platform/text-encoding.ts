import { isUtf8 } from 'node:buffer';

/**
 * How a file's bytes are text. `latin1` is the fallback that maps every byte to a character, so that nothing is ever lost;
 * UTF-16 is known by its byte order mark only.
 */
export type TextEncoding = 'utf8' | 'utf16le' | 'utf16be' | 'latin1';

/** Bytes that are looked at for the NUL that tells binary files from text. */
const PROBE_BYTES = 64 * 1024;

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16LE_MARK = Buffer.from([0xff, 0xfe]);
const UTF16BE_MARK = Buffer.from([0xfe, 0xff]);

/**
 * The encoding of a file's bytes, from its beginning; undefined for a binary file.
 * @param part says that `bytes` is only the beginning of the file, so that a character cut at the end is no evidence.
 */
export function detectEncoding(bytes: Uint8Array, { part = false }: { part?: boolean } = {}): TextEncoding | undefined {
  if (startsWith(bytes, UTF16LE_MARK)) return 'utf16le';
  if (startsWith(bytes, UTF16BE_MARK)) return 'utf16be';
  if (bytes.subarray(0, PROBE_BYTES).includes(0)) return undefined;
  return isUtf8(part ? withoutCutCharacter(bytes) : bytes) ? 'utf8' : 'latin1';
}

/** Length of the byte order mark at the beginning of a file, in bytes. */
export function markLength(bytes: Uint8Array, encoding: TextEncoding): number {
  if (encoding === 'utf8') return startsWith(bytes, UTF8_MARK) ? UTF8_MARK.length : 0;
  return encoding === 'latin1' ? 0 : UTF16LE_MARK.length;
}

/** Bytes of one code unit: line ends and cuts lie on multiples of it. */
export function unitWidth(encoding: TextEncoding): 1 | 2 {
  return encoding === 'utf16le' || encoding === 'utf16be' ? 2 : 1;
}

/** Bytes as text; a byte order mark becomes U+FEFF. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === 'utf16be') return swapped(buffer).toString('utf16le');
  return buffer.toString(encoding);
}

/** Text as bytes, or undefined when the encoding can't hold one of its characters. */
export function encodeText(text: string, encoding: TextEncoding): Buffer | undefined {
  const bytes = Buffer.from(text, encoding === 'utf16be' ? 'utf16le' : encoding);
  if (encoding === 'latin1' && bytes.toString('latin1') !== text) return undefined;
  return encoding === 'utf16be' ? swapped(bytes) : bytes;
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

function startsWith(bytes: Uint8Array, mark: Buffer): boolean {
  return mark.equals(bytes.subarray(0, mark.length));
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

/** What people call an encoding. */
export function encodingName(encoding: TextEncoding): string {
  return { utf8: 'UTF-8', utf16le: 'UTF-16', utf16be: 'UTF-16', latin1: 'Latin-1' }[encoding];
}
