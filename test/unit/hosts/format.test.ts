import { describe, expect, it } from 'vitest';
import { median, percentile, toRow } from '../../../src-main/hosts/cli/bench/measure.ts';
import { describeEvent } from '../../../src-main/hosts/cli/describe-event.ts';
import { firstLine, formatDuration, printable, table } from '../../../src-main/hosts/cli/format.ts';
import { safeMediaType } from '../../../src-main/hosts/media.ts';
import { text } from '../../../src-shared/index.ts';

describe('text for the terminal', () => {
  it('aligns columns and leaves no blanks at the ends of lines', () => {
    expect(
      table([
        ['a', 'bb', ''],
        ['ccc', 'd', 'e'],
      ]),
    ).toBe('a    bb\nccc  d   e');
  });

  it('keeps a row on one line, whatever its cells hold', () => {
    expect(table([['a\nb', 'c']])).toBe('a\\nb  c');
  });

  it('says durations as people do', () => {
    expect([0, 340, 999.6, 2100, 200_000].map(formatDuration)).toEqual([
      '0 ms',
      '340 ms',
      '1.0 s',
      '2.1 s',
      '3 min 20 s',
    ]);
  });

  it('cuts to the first line', () => {
    expect(firstLine('\n one\ntwo')).toBe('one');
    expect(firstLine('abcdef', 4)).toBe('abc…');
  });

  it('shows control characters instead of obeying them, and keeps line breaks and tabs', () => {
    expect(printable('a\tb\r\nc\u001b]0;title\u0007\u009b31m')).toBe('a\tb\nc\\x1b]0;title\\x07\\x9b31m');
    expect(printable('rm \u202egpj.exe')).toBe('rm ⟨U+202E⟩gpj.exe');
  });

  it('shows the end of a failed call with what it wrote, shortened', () => {
    const output = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
    const event = { seq: 1, sessionId: 's', at: 0, type: 'tool.ended', callId: 'c', durationMs: 1500 } as const;
    const shown = describeEvent({ ...event, result: { content: [text(output)], isError: true } });
    expect(shown).toContain('  | line 0\n');
    expect(shown).toContain('(8 more lines)');
    expect(shown).toMatch(/failed after 1\.5 s$/);
  });
});

describe('types of stored media', () => {
  it.each(['image/png', 'image/JPEG', 'image/svg+xml', 'audio/wav'])('shows %s as what it is', (type) => {
    expect(safeMediaType(type)).toBe(type.toLowerCase());
  });

  it.each(['text/html', 'image/png; charset=x', '', null])('never shows %s', (type) => {
    expect(safeMediaType(type)).toBe('application/octet-stream');
  });
});

describe('a benchmark row', () => {
  it('is good up to its goal', () => {
    const measured = { name: 'x', unit: 'ms', floor: 2, goal: 1.5 };
    expect(toRow({ ...measured, value: 3 })).toMatchObject({ ratio: 1.5, ok: true });
    expect(toRow({ ...measured, value: 3.1 })).toMatchObject({ ratio: 1.55, ok: false });
  });

  it('takes the middle of what was measured', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(percentile([4, 1, 3, 2], 0.75)).toBe(3);
  });
});
