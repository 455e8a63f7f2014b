import { isMultiByte, unitWidth, type MultiByteEncoding, type TextEncoding } from './text-encoding.ts';

const LINE_FEED = 0x0a;

/**
 * Says of places in the bytes whether a character begins there. Quick for places that are asked in ascending order.
 *
 * In the multi-byte encodings a byte tells nothing by itself: the second one of a character may be a letter or a backslash. But
 * a line feed is never part of another character, so a line is read from its beginning.
 */
export function createBoundaries(bytes: Uint8Array, encoding: TextEncoding): (at: number) => boolean {
  if (!isMultiByte(encoding)) return (at) => at === characterStart(bytes, encoding, at);
  let known = 0;
  return (at) => {
    known = known > at ? lineBegin(bytes, at) : known + lineBegin(bytes.subarray(known), at - known);
    while (known < at) known += characterLength(bytes, known, encoding);
    return known === at;
  };
}

/** Where the character that holds the byte at `at` begins. */
export function characterStart(bytes: Uint8Array, encoding: TextEncoding, at: number): number {
  if (isMultiByte(encoding)) {
    let start = lineBegin(bytes, at);
    for (let next = start; next <= at && next < bytes.length; next += characterLength(bytes, next, encoding))
      start = next;
    return at >= bytes.length ? at : start;
  }
  if (encoding !== 'utf8') return at - (at % unitWidth(encoding));
  let start = at;
  while (start > 0 && at - start < 3 && isContinuation(bytes[start])) start -= 1;
  return isContinuation(bytes[start]) ? at : start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lineBegin(bytes: Uint8Array, at: number): number {
  return at === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
}

/** Bytes of the character at `at`; 1 for what is none. The forms are those of the WHATWG Encoding Standard. */
function characterLength(bytes: Uint8Array, at: number, encoding: MultiByteEncoding): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  switch (encoding) {
    case 'gb18030':
      if (!within(first, 0x81, 0xfe)) return 1;
      if (within(second, 0x30, 0x39)) return within(bytes[at + 2] ?? 0, 0x81, 0xfe) ? 4 : 1;
      return isTrail(second, 0xfe) ? 2 : 1;
    case 'shift_jis':
      return (within(first, 0x81, 0x9f) || within(first, 0xe0, 0xfc)) && isTrail(second, 0xfc) ? 2 : 1;
    case 'big5':
      return within(first, 0x81, 0xfe) && isTrail(second, 0xfe) ? 2 : 1;
    case 'euc-kr':
      return within(first, 0x81, 0xfe) && second >= 0x41 && isTrail(second, 0xfe) ? 2 : 1;
    case 'euc-jp':
      if (first === 0x8f) return within(second, 0xa1, 0xfe) ? 3 : 1;
      return (first === 0x8e || within(first, 0xa1, 0xfe)) && within(second, 0xa1, 0xfe) ? 2 : 1;
  }
}

function isTrail(byte: number, last: number): boolean {
  return byte !== 0x7f && within(byte, 0x40, last);
}

function within(byte: number, first: number, last: number): boolean {
  return byte >= first && byte <= last;
}
