import { describe, expect, it } from 'vitest';
import { countChangedLines, diffRegion, type ChangedRegion } from '../../../src-main/history/line-diff.ts';

function region(parts: { lead?: string; removed?: string; inserted?: string; trail?: string }): ChangedRegion {
  const { lead = '', removed = '', inserted = '', trail = '' } = parts;
  return {
    lead: Buffer.from(lead),
    removed: Buffer.from(removed),
    inserted: Buffer.from(inserted),
    trail: Buffer.from(trail),
    encoding: 'utf8',
  };
}

describe('the lines of a change', () => {
  it('are counted without those that stay the same inside it', () => {
    const counts = countChangedLines(region({ removed: 'a\nsame\nb\n', inserted: 'A\nsame\nB\nC\n' }));
    expect(counts).toEqual({ added: 3, removed: 2 });
  });

  it('are one added and one removed for a change inside a line', () => {
    const counts = countChangedLines(region({ lead: 'let x = ', removed: '1', inserted: '2', trail: ';\n' }));
    expect(counts).toEqual({ added: 1, removed: 1 });
  });

  it('are counted as replaced where the change is too large to compare', () => {
    const removed = 'old line\n'.repeat(20_000);
    const inserted = 'new line\n'.repeat(30_000);
    expect(countChangedLines(region({ removed, inserted }))).toEqual({ added: 30_000, removed: 20_000 });
  });
});

describe('the hunks of a change', () => {
  it('carry the line numbers of the file', () => {
    const { hunks, cut } = diffRegion(
      region({ lead: 'one\ntwo\n', removed: 'three\n', inserted: 'THREE\n', trail: 'four\n' }),
      11,
    );
    expect(cut).toBe(false);
    expect(hunks).toEqual([
      {
        oldStart: 11,
        newStart: 11,
        lines: [
          { kind: 'same', text: 'one' },
          { kind: 'same', text: 'two' },
          { kind: 'del', text: 'three' },
          { kind: 'add', text: 'THREE' },
          { kind: 'same', text: 'four' },
        ],
      },
    ]);
  });

  it('begin at line 1 for a file that was made', () => {
    const { hunks } = diffRegion(region({ inserted: 'a\nb\n' }), 1);
    expect(hunks[0]).toMatchObject({ oldStart: 1, newStart: 1 });
    expect(hunks[0]?.lines).toEqual([
      { kind: 'add', text: 'a' },
      { kind: 'add', text: 'b' },
    ]);
  });

  it('are cut where there are too many lines, and say so', () => {
    const { hunks, cut } = diffRegion(region({ inserted: 'x\n'.repeat(10_000) }), 1);
    expect(cut).toBe(true);
    expect(hunks[0]?.lines.length).toBe(3000);
  });

  it('have long lines shortened, and say so', () => {
    const { hunks, cut } = diffRegion(region({ inserted: 'y'.repeat(5000) }), 1);
    expect(cut).toBe(true);
    expect(hunks[0]?.lines[0]?.text.length).toBeLessThan(2010);
  });
});
