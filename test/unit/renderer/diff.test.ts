import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { colourLines } from '../../../src-renderer/text/colour-lines.ts';
import { lineMarks, lineRuns } from '../../../src-renderer/text/diff-line.ts';
import { diffRows, replacementHunk, rowPairs, type DiffRow } from '../../../src-renderer/text/diff-rows.ts';
import { wordChanges } from '../../../src-renderer/text/word-changes.ts';
import { hunkOf } from '../../fixtures/scripted-core/diffs.ts';

const rowsOf = (...lines: string[]): DiffRow[] => diffRows([hunkOf(1, lines)]);

/** Both lines of a pair, with what is marked in brackets: `a [b]`. */
function marked(oldText: string, newText: string): string[] {
  const rows = rowsOf(`-${oldText}`, `+${newText}`);
  return rows.map((row) =>
    lineRuns(row, lineMarks(row, rows[row.partner ?? -1]))
      .map(({ text, looks }) => (looks.length === 0 ? text : `[${[text, ...looks.slice(1)].join('|')}]`))
      .join(''),
  );
}

describe('the rows of a diff', () => {
  it('number removed lines by the old file and the others by the new one', () => {
    const rows = diffRows([{ ...hunkOf(20, [' a', '-b', '+c', ' d']), oldStart: 10 }]);
    expect(rows.map(({ number }) => number)).toEqual([20, 11, 21, 22]);
    expect(rows.map(({ oldNumber }) => oldNumber)).toEqual([10, undefined, undefined, 12]);
  });

  it('have a gap between two hunks', () => {
    expect(diffRows([hunkOf(1, ['+x']), hunkOf(9, ['+x'])]).map(({ kind }) => kind)).toEqual(['add', 'gap', 'add']);
  });

  it('of a planned replacement are the old lines, then the new ones', () => {
    expect(replacementHunk('a\n', 'b\nc').lines.map(({ kind, text }) => kind + text)).toEqual(['dela', 'addb', 'addc']);
    expect(replacementHunk('', '').lines).toEqual([]);
  });

  it('pair a removed line with the added one that took its place, and leave the rest alone', () => {
    const rows = rowsOf('-a', '-b', '+c', ' d', '+e', '-f');
    expect(rows.map(({ partner }) => partner)).toEqual([2, undefined, 0, undefined, undefined, undefined]);
  });

  it('find partners in their own hunk', () => {
    const rows = diffRows([hunkOf(1, ['-a', '+b']), hunkOf(9, ['-c', '+d'])]);
    expect(rows.map(({ partner }) => partner)).toEqual([1, 0, undefined, 4, 3]);
  });

  it('stand beside each other: unchanged ones at both sides, others with their partner or with nothing', () => {
    const pairs = rowPairs(rowsOf(' a', '-b', '-c', '+d', ' e', '+f'));
    expect(pairs.map(({ left, right }) => [left?.text, right?.text])).toEqual([
      ['a', 'a'],
      ['b', 'd'],
      ['c', undefined],
      ['e', 'e'],
      [undefined, 'f'],
    ]);
  });

  it('lose no line and no order when they stand beside each other', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(' s', '-d', '+a')), (lines) => {
        const rows = rowsOf(...lines.map((line, at) => line + at));
        const pairs = rowPairs(rows);
        const texts = (side: 'left' | 'right') => pairs.flatMap((pair) => pair[side]?.text ?? []);
        const wanted = (other: string) => rows.filter(({ kind }) => kind !== other).map(({ text }) => text);
        expect(texts('left')).toEqual(wanted('add'));
        expect(texts('right')).toEqual(wanted('del'));
      }),
    );
  });

  it('show control characters that a page would drop', () => {
    expect(rowsOf('+a\0b\rc\r')[0]).toMatchObject({ text: 'a␀b␍c', carriageReturn: true });
  });
});

describe('what differs between two lines', () => {
  it('is marked by words', () => {
    expect(marked('const a = Number(x)', 'const a = parseNumber(x)')).toEqual([
      'const a = [Number](x)',
      'const a = [parseNumber](x)',
    ]);
  });

  it('is not marked where the lines have little in common, or are very long', () => {
    expect(marked('return undefined;', 'if (x) throw new Error(y)')).toEqual([
      'return undefined;',
      'if (x) throw new Error(y)',
    ]);
    expect(wordChanges(`${'a '.repeat(400)}b`, `${'a '.repeat(400)}c`)).toBeUndefined();
  });

  it('is shown by signs where it is white space alone', () => {
    expect(marked('\tx', '  x')).toEqual(['[\t|unseen tab]x', '[ |unseen space][ |unseen space]x']);
    expect(marked('x ', 'x')).toEqual(['x[ |unseen space]', 'x']);
    expect(marked('a\u00a0b', 'a b')).toEqual(['a[\u00a0|unseen other]b', 'a[ |unseen space]b']);
  });

  it('is shown at the end of the line where it is the line end', () => {
    expect(marked('x\r', 'x')).toEqual(['x[|unseen crlf]', 'x[|unseen lf]']);
    expect(marked('x\r', 'y\r').join('')).not.toContain('unseen');
  });

  it('is shown as the line end where both lines are the same: the file ended without one', () => {
    expect(marked('x', 'x')).toEqual(['x[|unseen lf]', 'x[|unseen lf]']);
  });

  it('never loses or adds a character', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\t', '(', '文', '\u00a0') });
    fc.assert(
      fc.property(line, line, (before, after) => {
        const rows = rowsOf(`-${before}`, `+${after}`);
        const texts = rows.map((row) => lineRuns(row, lineMarks(row, rows[row.partner ?? -1])).map(({ text }) => text));
        expect(texts.map((runs) => runs.join(''))).toEqual([before, after]);
      }),
    );
  });
});

describe('the colours of lines', () => {
  const CODE = ['/* one', 'two */ const a = 1;', 'const text = `x', 'y`;', 'const b = "<b>&";'];

  it('are those of the whole text: comments and strings over several lines are one', () => {
    const lines = [...colourLines(CODE, 'typescript')].flat();
    expect(lines[0]).toEqual([{ text: '/* one', looks: ['hljs-comment'] }]);
    expect(lines[1]?.[0]).toEqual({ text: 'two */', looks: ['hljs-comment'] });
    expect(lines[3]?.[0]).toEqual({ text: 'y`', looks: ['hljs-string'] });
    expect(lines.map((runs) => runs?.map(({ text }) => text).join(''))).toEqual(CODE);
  });

  it('are the same when they come in small pieces, which never end within a comment or string', () => {
    const whole = [...colourLines(CODE, 'typescript')].flat();
    const pieces = [...colourLines(CODE, 'typescript', 30)];
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.flat()).toEqual(whole);
  });

  it('are given up where a comment is longer than a piece, and where the language is unknown', () => {
    expect([...colourLines(['/*', ...Array<string>(20).fill('word'), '*/'], 'typescript', 10)]).toEqual([]);
    expect([...colourLines(CODE, 'no-such-language')]).toEqual([]);
  });

  it('leave very long lines plain, and only them', () => {
    const lines = [...colourLines(['const a = 1;', 'x'.repeat(600), 'const b = 2;'], 'typescript')].flat();
    expect(lines.map((runs) => runs !== undefined)).toEqual([true, false, true]);
  });
});
