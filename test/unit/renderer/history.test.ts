import { describe, expect, it } from 'vitest';
import type { EditView } from '../../../src-shared/index.ts';
import { blameLines } from '../../../src-renderer/history/blame-lines.ts';
import { octal, shownPath } from '../../../src-renderer/history/describe-edit.ts';
import { groupEdits, groupWay } from '../../../src-renderer/history/group-edits.ts';
import { isFiltered, queryOf, startOf } from '../../../src-renderer/history/query.ts';

const edit = (id: number, callId?: string, extra: Partial<EditView> = {}): EditView => ({
  id,
  sessionId: 's',
  ...(callId !== undefined && { callId }),
  caller: { kind: 'person' },
  path: `/w/${id}`,
  entry: 'file',
  kind: 'modify',
  state: 'applied',
  at: id,
  added: 1,
  removed: 1,
  ...extra,
});

describe('edits in the list of the history', () => {
  it('go together when they follow each other and are of the same call', () => {
    const groups = groupEdits([edit(7), edit(6), edit(5, 'a'), edit(4, 'a'), edit(3, 'b'), edit(2, 'a')]);
    expect(groups.map((group) => group.map(({ id }) => id))).toEqual([[7], [6], [5, 4], [3], [2]]);
  });

  it('go together when they are one undo of many files', () => {
    const undo = (id: number, at: number, extra: Partial<EditView> = {}) =>
      edit(id, undefined, { kind: 'undo', of: 1, at, ...extra });
    const groups = groupEdits([
      undo(9, 9_000, { sessionId: 'other' }),
      undo(8, 9_000),
      undo(7, 8_000),
      undo(6, 7_000),
      undo(5, 1_000),
      undo(4, 900, { kind: 'redo' }),
      edit(3),
      edit(2),
    ]);
    expect(groups.map((group) => group.map(({ id }) => id))).toEqual([[9], [8, 7, 6], [5], [4], [3], [2]]);
  });

  it('can be undone together as long as one of them stands, and then done again', () => {
    expect(groupWay([edit(2, 'a', { state: 'undone' }), edit(1, 'a')])).toBe('undo');
    expect(groupWay([edit(2, 'a', { state: 'undone' }), edit(1, 'a', { state: 'dropped' })])).toBe('redo');
    expect(groupWay([edit(2, 'a', { kind: 'undo', of: 1 })])).toBeUndefined();
    expect(groupWay([edit(2, 'a', { state: 'conflict' })])).toBeUndefined();
  });

  it('have a slash behind folders', () => {
    expect(shownPath('src/new', 'folder')).toBe('src/new/');
    expect(shownPath('src/new', 'file')).toBe('src/new');
  });

  it('have permissions in octal', () => {
    expect([0o644, 0o100755, 0o4755, 0o7].map(octal)).toEqual(['644', '755', '4755', '007']);
  });
});

describe('a filter of the history', () => {
  it('is told to the core in its words, without what is empty', () => {
    const now = new Date(2026, 2, 10, 15).getTime();
    expect(queryOf({ file: ' tides ', session: 's1', tool: 'bash', caller: 'person', time: 'today' }, now)).toEqual({
      pathPart: 'tides',
      sessionId: 's1',
      tool: 'bash',
      caller: 'person',
      from: new Date(2026, 2, 10).getTime(),
    });
    expect(queryOf({ file: ' ' }, now)).toEqual({});
    expect(isFiltered({ file: ' ' })).toBe(false);
    expect(isFiltered({ time: 'week' })).toBe(true);
  });

  it('counts days from midnight, over the ends of months', () => {
    const now = new Date(2026, 2, 3, 0, 30).getTime();
    expect(startOf('week', now)).toBe(new Date(2026, 1, 25).getTime());
    expect(startOf('month', now)).toBe(new Date(2026, 1, 2).getTime());
  });
});

describe('the lines of a file', () => {
  it('have the edit that wrote them, told at the first of each run, and how new it is', () => {
    const lines = blameLines({
      path: '/w/a',
      text: 'one\ntwo\nthree\nfour\n',
      spans: [{ lines: 1 }, { lines: 2, editId: 5 }, { lines: 1, editId: 3 }],
      edits: [edit(5), edit(3)],
    });
    expect(lines.map(({ row, edit: by, first, newness }) => [row.number, row.text, by?.id, first, newness])).toEqual([
      [1, 'one', undefined, true, 0],
      [2, 'two', 5, true, 1],
      [3, 'three', 5, false, 1],
      [4, 'four', 3, true, 0.5],
    ]);
  });

  it('are none in an empty file', () => {
    expect(blameLines({ path: '/w/a', text: '', spans: [], edits: [] })).toEqual([]);
  });
});
