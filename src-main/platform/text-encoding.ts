import iconv from 'iconv-lite';

/** Encodings whose characters are of one to four bytes, and below 0x80 are not always themselves. */
const MULTI_BYTE = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'] as const;
export type MultiByteEncoding = (typeof MULTI_BYTE)[number];

type SingleByteEncoding =
  `windows-${1250 | 1251 | 1252 | 1253 | 1254 | 1255 | 1256}` | `iso-8859-${2 | 5 | 6 | 7 | 8 | 9}` | 'koi8-r';

/**
 * How a file's bytes are text. `latin1` is the fallback that maps every byte to a character, so that nothing is ever lost. The
 * history keeps these names: one may be added, none renamed.
 */
export type TextEncoding = 'utf8' | 'utf16le' | 'utf16be' | 'latin1' | MultiByteEncoding | SingleByteEncoding;

/** GBK and GB 2312 are parts of GB 18030, as code pages 932 and 949 contain Shift_JIS and EUC-KR. */
const CONVERTERS: Partial<Record<TextEncoding, string>> = { shift_jis: 'cp932', 'euc-kr': 'cp949' };

const NAMES: Partial<Record<TextEncoding, string>> = {
  ...{ utf8: 'UTF-8', utf16le: 'UTF-16', utf16be: 'UTF-16', latin1: 'Latin-1' },
  ...{ gb18030: 'GB18030', big5: 'Big5', shift_jis: 'Shift_JIS' },
};

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const GB18030_MARK = Buffer.from([0x84, 0x31, 0x95, 0x33]);
export const UTF16LE_MARK = Buffer.from([0xff, 0xfe]);
export const UTF16BE_MARK = Buffer.from([0xfe, 0xff]);
const MARKS: Partial<Record<TextEncoding, Buffer>> = {
  ...{ utf8: UTF8_MARK, utf16le: UTF16LE_MARK, utf16be: UTF16BE_MARK, gb18030: GB18030_MARK },
};

/** What people call an encoding. */
export function encodingName(encoding: TextEncoding): string {
  return NAMES[encoding] ?? encoding.replace('iso', 'ISO').replace(/^(koi|euc).*/, (name) => name.toUpperCase());
}

export function isMultiByte(encoding: TextEncoding): encoding is MultiByteEncoding {
  return MULTI_BYTE.some((name) => name === encoding);
}

/** Length of the byte order mark at the beginning of a file, in bytes. */
export function markLength(bytes: Uint8Array, encoding: TextEncoding): number {
  const mark = MARKS[encoding];
  return mark && startsWith(bytes, mark) ? mark.length : 0;
}

/** Bytes of one code unit: line ends lie on multiples of it. Characters may be of several units. */
export function unitWidth(encoding: TextEncoding): 1 | 2 {
  return encoding === 'utf16le' || encoding === 'utf16be' ? 2 : 1;
}

/** Bytes as text; a byte order mark becomes U+FEFF, and what is no character U+FFFD. */
export function decodeText(bytes: Uint8Array, encoding: TextEncoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (encoding === 'utf16be') return swapped(buffer).toString('utf16le');
  if (encoding === 'utf8' || encoding === 'utf16le' || encoding === 'latin1') return buffer.toString(encoding);
  return iconv.decode(buffer, converterOf(encoding), { stripBOM: false });
}

/** Text as bytes, or undefined when the encoding can't hold one of its characters. */
export function encodeText(text: string, encoding: TextEncoding): Buffer | undefined {
  if (encoding === 'utf8') return text.isWellFormed() ? Buffer.from(text, encoding) : undefined;
  if (encoding === 'utf16le') return Buffer.from(text, encoding);
  if (encoding === 'utf16be') return swapped(Buffer.from(text, 'utf16le'));
  const bytes = encoding === 'latin1' ? Buffer.from(text, encoding) : iconv.encode(text, converterOf(encoding));
  // A converter puts a question mark or a look-alike where it has no character.
  return decodeText(bytes, encoding) === text ? bytes : undefined;
}

export function startsWith(bytes: Uint8Array, mark: Uint8Array): boolean {
  return Buffer.compare(mark, bytes.subarray(0, mark.length)) === 0;
}

function converterOf(encoding: TextEncoding): string {
  return CONVERTERS[encoding] ?? encoding;
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
