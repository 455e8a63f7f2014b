import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { numbered, openWorkspace } from '../../fixtures/history/workspace.ts';

const person = { sessionId: 'session', caller: { kind: 'person' } } as const;

describe('an edit whose file has changed since', () => {
  it('can be taken back with everything else kept: a three-way merge', async () => {
    const { edit, history, read, byHand } = await openWorkspace();
    byHand('a', numbered(1, 20));
    const made = await edit('a', numbered(1, 20).replace('line 3\n', 'edited\n'));
    byHand('a', numbered(1, 20).replace('line 3\n', 'edited\n').replace('line 15\n', 'by hand\n'));
    await expect(history.undo(made.id, person)).rejects.toMatchObject({ code: 'conflict' });
    const wanted = numbered(1, 20).replace('line 15\n', 'by hand\n');
    const conflict = await history.conflict(made.id);
    expect(conflict).toMatchObject({ merged: { text: wanted, conflicts: 0 }, before: numbered(1, 20) });
    expect(conflict.toMerged[0]?.lines.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'del', text: 'edited' },
      { kind: 'add', text: 'line 3' },
    ]);
    await history.settleConflict(made.id, { use: 'text', text: conflict.merged?.text ?? '' }, person);
    expect(read('a')).toBe(wanted);
    expect(history.list({ limit: 2 })).toMatchObject([{ kind: 'undo', of: made.id }, { state: 'undone' }]);
    // What was there is not lost.
    await history.redo(made.id, person);
    expect(read('a')).toContain('edited');
    expect(read('a')).toContain('by hand');
  });

  it('shows both sides between marks where both changed the same lines, with the line ends of the file', async () => {
    const { edit, history, byHand } = await openWorkspace();
    byHand('a', 'one\r\ntwo\r\n');
    const made = await edit('a', 'one\r\nedited\r\n');
    byHand('a', 'one\r\nby hand');
    expect((await history.conflict(made.id)).merged).toEqual({
      conflicts: 1,
      text: `one\r\n<<<<<<< as it is now\r\nby hand\r\n=======\r\ntwo\r\n>>>>>>> before edit ${made.id}\r\n`,
    });
  });

  it('can be put back as it was before, whatever is there now', async () => {
    const { edit, history, read, byHand, at } = await openWorkspace();
    byHand('a', 'old\n');
    const made = await edit('a', 'new\n');
    rmSync(at('a'));
    expect(await history.conflict(made.id)).toMatchObject({ before: 'old\n', current: null });
    await history.settleConflict(made.id, { use: 'before' }, person);
    expect(read('a')).toBe('old\n');
  });

  it('can be taken back under a newer edit, which stays', async () => {
    const { edit, history, read, byHand } = await openWorkspace();
    byHand('a', numbered(1, 20));
    const older = await edit('a', numbered(1, 20).replace('line 3\n', 'older\n'));
    const newer = await edit('a', numbered(1, 20).replace('line 3\n', 'older\n').replace('line 15\n', 'newer\n'));
    await expect(history.undo(older.id, person)).rejects.toThrow(`Edit ${older.id}`);
    const { merged } = await history.conflict(older.id);
    await history.settleConflict(older.id, { use: 'text', text: merged?.text ?? '' }, person);
    expect(read('a')).toBe(numbered(1, 20).replace('line 15\n', 'newer\n'));
    expect(history.show(newer.id).state).toBe('applied');
  });

  it('that was changed by hand twice between edits still finds what it left', async () => {
    const { edit, history, byHand } = await openWorkspace();
    byHand('a', numbered(1, 9));
    const first = await edit('a', numbered(1, 9).replace('line 1\n', 'first\n'));
    byHand('a', numbered(1, 9).replace('line 1\n', 'first\n').replace('line 5\n', 'by hand\n'));
    await edit('a', `${numbered(1, 9).replace('line 1\n', 'first\n').replace('line 5\n', 'by hand\n')}end\n`);
    byHand('a', numbered(1, 9).replace('line 1\n', 'first\n').replace('line 5\n', 'again\n'));
    const { merged } = await history.conflict(first.id);
    expect(merged?.text).toBe(numbered(1, 9).replace('line 5\n', 'again\n'));
  });

  it('without text is put back whole or not at all', async () => {
    const { history, at, edit } = await openWorkspace();
    writeFileSync(at('a'), Buffer.from([0, 1, 2]));
    const made = await edit('a', 'now text');
    writeFileSync(at('a'), Buffer.from([9]));
    const conflict = await history.conflict(made.id);
    expect(conflict.merged).toBeUndefined();
    expect(conflict).not.toHaveProperty('before');
    await history.settleConflict(made.id, { use: 'before' }, person);
    expect(readFileSync(at('a'))).toEqual(Buffer.from([0, 1, 2]));
  });

  it('of ten thousand equal lines is not merged: that would hold everything up', async () => {
    const { edit, history, byHand } = await openWorkspace();
    byHand('a', 'same\n'.repeat(10_000));
    const made = await edit('a', `${'same\n'.repeat(10_000)}end\n`);
    byHand('a', 'same\n'.repeat(9_000));
    expect((await history.conflict(made.id)).merged).toBeUndefined();
  });
});
