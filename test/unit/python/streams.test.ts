import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, encodeFrame } from '../../../src-main/tools/python/frames.ts';
import { createMarkCutter } from '../../../src-main/tools/python/mark.ts';

/** Any way to cut bytes into chunks. */
function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}
const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 });

describe('frames', () => {
  it('arrive whole and in order, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), sizes, (messages, parts) => {
        const heard: unknown[] = [];
        const read = createFrameReader(
          1 << 20,
          (message) => heard.push(message),
          () => expect.unreachable(),
        );
        for (const chunk of cut(Buffer.concat(messages.map(encodeFrame)), parts)) read(chunk);
        expect(JSON.stringify(heard)).toBe(JSON.stringify(messages));
      }),
    );
  });

  it.each([
    ['too long', Buffer.from([0xff, 0xff, 0xff, 0xff])],
    ['no JSON', Buffer.from([0, 0, 0, 1, 0x7b])],
  ])('that are %s are nonsense, after which nothing is heard', (_, bytes) => {
    const heard: unknown[] = [];
    let nonsense = 0;
    const read = createFrameReader(
      100,
      (message) => heard.push(message),
      () => (nonsense += 1),
    );
    read(bytes);
    read(encodeFrame('later'));
    expect([heard, nonsense]).toEqual([[], 1]);
  });
});

describe('a mark in the output', () => {
  const mark = '\0abab\0';

  it('ends it at the same byte, however the stream is cut', () => {
    const text = fc.array(fc.constantFrom('\0', 'a', 'b', 'ab', '\0ab', 'x')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, sizes, (before, after, parts) => {
        fc.pre(!before.includes(mark) && !(before + mark).slice(0, -1).includes(mark));
        const cutter = createMarkCutter(mark);
        const chunks = cut(Buffer.from(before + mark + after), parts);
        const got = Buffer.concat(chunks.map((chunk) => cutter.push(chunk)));
        expect(got.toString()).toBe(before);
        expect(cutter.found).toBe(true);
      }),
    );
  });

  it('that never comes loses nothing', () => {
    const cutter = createMarkCutter(mark);
    const got = Buffer.concat([cutter.push(Buffer.from('so far \0aba')), cutter.rest()]);
    expect(got.toString()).toBe('so far \0aba');
    expect(cutter.found).toBe(false);
  });
});
