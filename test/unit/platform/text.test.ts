import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countLineFeeds,
  decodeText,
  detectEncoding,
  encodeText,
  lineEnd,
  lineNumberAt,
  lineStart,
  markLength,
} from '../../../src-main/platform/index.ts';

describe('the encoding of bytes', () => {
  it.each([
    ['utf8', Buffer.from('plain')],
    ['utf8', Buffer.from('ñ 名前 🙂')],
    ['utf8', Buffer.alloc(0)],
    ['latin1', Buffer.from('caf\u00e9', 'latin1')],
    ['utf16le', Buffer.from('\uFEFFa', 'utf16le')],
    ['utf16be', Buffer.from('\uFEFFa', 'utf16le').swap16()],
    [undefined, Buffer.from([1, 0, 2])],
  ])('is %s', (encoding, bytes) => {
    expect(detectEncoding(bytes)).toBe(encoding);
  });

  it('is not judged by a character that the end of a part cut', () => {
    const bytes = Buffer.from('a🙂');
    for (let length = 1; length <= bytes.length; length += 1) {
      expect(detectEncoding(bytes.subarray(0, length), { part: true })).toBe('utf8');
    }
    expect(detectEncoding(bytes.subarray(0, 3))).toBe('latin1');
  });

  it('gives every text back that it can hold', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('utf8', 'utf16le', 'utf16be', 'latin1'),
        (text, encoding) => {
          const bytes = encodeText(text, encoding);
          if (bytes) expect(decodeText(bytes, encoding)).toBe(text);
          else expect(encoding).toBe('latin1');
        },
      ),
    );
  });

  it('tells how long the byte order mark is', () => {
    expect(markLength(Buffer.from('\uFEFFa'), 'utf8')).toBe(3);
    expect(markLength(Buffer.from('a'), 'utf8')).toBe(0);
    expect(markLength(Buffer.from('\uFEFFa', 'utf16le'), 'utf16le')).toBe(2);
  });
});

describe('lines in bytes', () => {
  const bytes = Buffer.from('one\ntwo\nthree');

  it('are counted and found', async () => {
    expect(countLineFeeds(bytes, 'utf8')).toBe(2);
    expect(countLineFeeds(bytes, 'utf8', 4, 7)).toBe(0);
    expect(await lineNumberAt(bytes, 'utf8', 5)).toBe(2);
    expect(lineStart(bytes, 'utf8', 5)).toBe(4);
    expect(lineStart(bytes, 'utf8', 9, 1)).toBe(4);
    expect(lineStart(bytes, 'utf8', 9, 5)).toBe(0);
    expect(lineEnd(bytes, 'utf8', 0)).toBe(4);
    expect(lineEnd(bytes, 'utf8', 0, 1)).toBe(8);
    expect(lineEnd(bytes, 'utf8', 9)).toBe(13);
  });

  it('are counted right at every place and length', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.array(fc.constantFrom(0x0a, 0x0b, 0x8a, 0x00), { maxLength: 60 }),
        fc.nat(8),
        (any, likely, start) => {
          const all = Uint8Array.from([...any, ...likely]);
          const plain = all.subarray(start).filter((byte) => byte === 0x0a).length;
          expect(countLineFeeds(all, 'utf8', start)).toBe(plain);
          expect(countLineFeeds(all.subarray(start), 'utf8')).toBe(plain);
        },
      ),
    );
  });

  it('are counted right in a long run of them', () => {
    expect(countLineFeeds(Buffer.alloc(10_001, '\n'), 'utf8')).toBe(10_001);
    expect(countLineFeeds(Buffer.alloc(10_001, '\n').subarray(1), 'utf8', 2, 9_000)).toBe(8_998);
  });

  it('end at whole units only in UTF-16', () => {
    // U+0A00 U+0A0A hold the byte 0A without being a line feed.
    const wide = Buffer.from('\u0a00\u0a0a\nx', 'utf16le');
    expect(countLineFeeds(wide, 'utf16le')).toBe(1);
    expect(lineEnd(wide, 'utf16le', 0)).toBe(6);
    expect(lineStart(wide, 'utf16le', 6)).toBe(6);
    expect(countLineFeeds(Buffer.from(wide).swap16(), 'utf16be')).toBe(1);
  });
});
