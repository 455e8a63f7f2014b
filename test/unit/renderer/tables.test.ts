import { describe, expect, it } from 'vitest';
import { sortedRows, tablesOf, toCsv } from '../../../src-renderer/timeline/tables.ts';

describe('a table of a result', () => {
  it('is taken only in its form: it comes from code', () => {
    const good = { columns: ['a'], rows: [['1'], [null]], totalRows: 2, totalColumns: 1 };
    const broken = [{ columns: 'a' }, 7, { ...good, rows: [[{}]] }];
    const result = { content: [], isError: false };
    expect(tablesOf({ ...result, structuredContent: { tables: [good, ...broken] } })).toEqual([good]);
    expect(tablesOf({ ...result, structuredContent: { tables: 'no list' } })).toEqual([]);
  });

  it('sorts numbers as numbers and words as words, missing values last both ways', () => {
    const rows = [
      ['10', 'b'],
      ['9', 'a10'],
      [null, null],
      ['-2.5', 'a9'],
    ];
    expect(sortedRows(rows, 0, 1, 'en').map(([first]) => first)).toEqual(['-2.5', '9', '10', null]);
    expect(sortedRows(rows, 0, -1, 'en').map(([first]) => first)).toEqual(['10', '9', '-2.5', null]);
    expect(sortedRows(rows, 1, 1, 'en').map(([, second]) => second)).toEqual(['a9', 'a10', 'b', null]);
  });

  it('is CSV with quotes where they are needed', () => {
    const table = {
      columns: ['', 'a,b'],
      rows: [
        ['1', 'say "hi"'],
        [null, 'two\nlines'],
      ],
    };
    expect(toCsv(table)).toBe(',"a,b"\r\n1,"say ""hi"""\r\n,"two\nlines"');
  });
});
