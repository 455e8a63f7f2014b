import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesAfter, spliceBetween } from '../../../src-main/history/splice.ts';

const bytes = fc.uint8Array({ maxLength: 60, max: 4 });

describe('the splice between two states', () => {
  it('gives the later bytes, and turned around the earlier ones, whatever they are', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.constantFrom(1 as const, 2 as const), (before, after, width) => {
        const { offset, removed, inserted } = spliceBetween(before, after, width);
        const there = Buffer.concat(piecesAfter(before, { offset, removed, inserted }));
        expect([...there]).toEqual([...after]);
        const back = Buffer.concat(piecesAfter(after, { offset, removed: inserted, inserted: removed }));
        expect([...back]).toEqual([...before]);
      }),
    );
  });

  it('is as small as one splice can be', () => {
    const before = Buffer.from('the quick brown fox');
    const after = Buffer.from('the quiet brown fox');
    const { offset, removed, inserted } = spliceBetween(before, after);
    expect({ offset, removed: String(removed), inserted: String(inserted) }).toEqual({
      offset: 7,
      removed: 'ck',
      inserted: 'et',
    });
  });

  it('finds one changed byte among blocks that are the same', () => {
    const before = Buffer.alloc(300_000, 'x');
    const after = Buffer.from(before);
    after[200_001] = 0x79;
    expect(spliceBetween(before, after)).toEqual({
      offset: 200_001,
      removed: Buffer.from('x'),
      inserted: Buffer.from('y'),
    });
  });

  it('does not cut a UTF-16 unit in two', () => {
    const { offset, removed, inserted } = spliceBetween(Buffer.from('aé', 'utf16le'), Buffer.from('aè', 'utf16le'), 2);
    expect([offset, removed.length, inserted.length]).toEqual([2, 2, 2]);
  });
});
