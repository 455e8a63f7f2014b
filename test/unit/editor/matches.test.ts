import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMatches } from '../../../src-main/tools/editor/matches.ts';
import type { TextFile } from '../../../src-main/tools/editor/text-file.ts';

function fileOf(text: string): TextFile {
  return { path: '/f', bytes: Buffer.from(text), encoding: 'utf8', start: 0, stamp: '' };
}

/** Every place of `wanted`, found the slow and plain way. */
function placesIn(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

const letters = (maxLength: number) =>
  fc.array(fc.constantFrom('a', 'b', '\n'), { minLength: 1, maxLength }).map((parts) => parts.join(''));

describe('matches', () => {
  it('are exactly the places where the text is, overlapping ones too', () => {
    fc.assert(
      fc.property(letters(40), letters(5), (text, wanted) => {
        const matches = findMatches(fileOf(text), wanted);
        expect(matches.map(({ start }) => start)).toEqual(placesIn(text, wanted));
        for (const { start, end } of matches) expect(text.slice(start, end)).toBe(wanted);
      }),
    );
  });

  it('are the same in a file whose lines end in CRLF', () => {
    fc.assert(
      fc.property(letters(40), letters(5), (text, wanted) => {
        const crlf = text.replaceAll('\n', '\r\n');
        const matches = findMatches(fileOf(crlf), wanted);
        expect(matches.length).toBe(placesIn(text, wanted).length);
        for (const { start, end } of matches) expect(crlf.slice(start, end)).toBe(wanted.replaceAll('\n', '\r\n'));
      }),
    );
  });

  it('know where each of their lines begins', () => {
    expect(findMatches(fileOf('x\r\none\r\ntwo\nthree'), 'one\ntwo\nth')).toEqual([
      { start: 3, end: 14, lines: [3, 8, 12] },
    ]);
  });
});
