import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ansiLines } from '../../../src-renderer/text/ansi.ts';
import { diffRows } from '../../../src-renderer/text/diff-rows.ts';
import { bytes, duration, relativePath, shortPath, shortTime } from '../../../src-renderer/text/format.ts';
import { readJson, readJsonObject } from '../../../src-renderer/text/json.ts';
import { chunks, linesOf } from '../../../src-renderer/text/lines.ts';

const plain = (output: string): string =>
  ansiLines(output)
    .map((spans) => spans.map(({ text }) => text).join(''))
    .join('\n');

describe('terminal output', () => {
  it('keeps colours and weights', () => {
    expect(ansiLines('\x1b[1;32mok\x1b[0m rest')).toEqual([
      [{ text: 'ok', bold: true, color: 'var(--ansi-2)' }, { text: ' rest' }],
    ]);
    expect(ansiLines('\x1b[38;5;196mx\x1b[39my')[0]?.[0]?.color).toBe('rgb(255 0 0)');
    expect(ansiLines('\x1b[48;2;1;2;3mx')[0]?.[0]?.background).toBe('rgb(1 2 3)');
    expect(ansiLines('\x1b[91mx')[0]?.[0]?.color).toBe('var(--ansi-9)');
  });

  it('carries a style over the end of a line', () => {
    expect(ansiLines('\x1b[31ma\nb')[1]?.[0]).toEqual({ text: 'b', color: 'var(--ansi-1)' });
  });

  it('lets a carriage return write over its line, as progress bars do', () => {
    expect(plain('10 %\r50 %\r100 %\ndone\r\n')).toBe('100 %\ndone\n');
  });

  it('drops cursor moves, titles and other control sequences', () => {
    expect(plain('\x1b]0;title\x07a\x1b[2Kb\x1b[?25lc\x07\x1b(Bd')).toBe('abcd');
  });

  it('never lets an escape character through, and never loses plain text', () => {
    fc.assert(fc.property(fc.string(), (text) => !plain(text).includes('\x1b')));
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '文', '\n') }), (text) => plain(text) === text));
  });

  it('only ever makes colours out of numbers', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\x1b', '[', '3', '8', ';', '5', '2', 'm', ':', '9') }), (text) =>
        ansiLines(text)
          .flat()
          .every(({ color }) => color === undefined || /^(var\(--ansi-\d+\)|rgb\(\d+ \d+ \d+\))$/.test(color)),
      ),
    );
  });
});

describe('what would be read in another order than it runs', () => {
  it('is shown by its numbers: in terminals and in diffs', () => {
    expect(plain('rm \u202etxt.\u202c')).toBe('rm ⟨U+202E⟩txt.⟨U+202C⟩');
    const lines = [{ kind: 'add' as const, text: 'if (\u2066admin\u2069)' }];
    const [row] = diffRows([{ oldStart: 1, newStart: 1, lines }]);
    expect(row?.text).toBe('if (⟨U+2066⟩admin⟨U+2069⟩)');
  });

  it('is not taken from words in right-to-left scripts', () => {
    expect(plain('مرحبا שלום')).toBe('مرحبا שלום');
  });
});

describe('durations, sizes and times', () => {
  it('are said as people say them', () => {
    expect(duration(0.4, 'en')).toBe('0.4 ms');
    expect(duration(412, 'en')).toBe('412 ms');
    expect(duration(2100, 'en')).toBe('2.1 s');
    expect(duration(192_000, 'en')).toBe('3 min 12 s');
    expect(duration(4_000_000, 'en')).toBe('1 h 6 min');
    expect(duration(2100, 'zh-CN')).toBe('2.1 秒');
    expect(bytes(20_480, 'en')).toBe('20.5 kB');
  });

  it('get shorter the longer ago it was', () => {
    const now = new Date(2026, 10, 30, 15, 0).getTime();
    const minute = 60_000;
    expect(shortTime(now - 1000, now, 'en', 'now')).toBe('now');
    expect(shortTime(now - 12 * minute, now, 'en', 'now')).toBe('12 min');
    expect(shortTime(now - 48 * 60 * minute, now, 'en', 'now')).toBe('Sat');
    expect(shortTime(now - 20 * 24 * 60 * minute, now, 'en', 'now')).toBe('Nov 10');
    expect(shortTime(now - 400 * 24 * 60 * minute, now, 'en', 'now')).toContain('2025');
  });
});

describe('paths', () => {
  it('are shown from the workspace when they are inside it', () => {
    expect(relativePath('/w/src/a.ts', '/w')).toBe('src/a.ts');
    expect(relativePath('/wide/a.ts', '/w')).toBe('/wide/a.ts');
    expect(relativePath('/w/a.ts', undefined)).toBe('/w/a.ts');
  });

  it('are cut to their last two parts', () => {
    expect(shortPath('/home/mei/code/harbor')).toBe('…/code/harbor');
    expect(shortPath('/srv')).toBe('/srv');
  });
});

describe('lines and JSON', () => {
  it('do not count the end of the last line as a line', () => {
    expect(linesOf('a\nb\n')).toEqual(['a', 'b']);
    expect(linesOf('')).toEqual([]);
    expect(chunks([1, 2, 3], 2)).toEqual([[1, 2], [3]]);
  });

  it('reads text as JSON only when it is an object or a list', () => {
    expect(readJson(' {"a":1}')).toEqual({ a: 1 });
    expect(readJson('[1]')).toEqual([1]);
    expect(readJson('12')).toBeUndefined();
    expect(readJson('{broken')).toBeUndefined();
    expect(() => readJsonObject('[1]')).toThrow(SyntaxError);
    expect(readJsonObject('')).toEqual({});
  });
});
