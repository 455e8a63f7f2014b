import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../fixtures/history/workspace.ts';

const person = { sessionId: 'session', caller: { kind: 'person' } } as const;

describe('who wrote a line', () => {
  it('is the edit that brought it; nobody for what is older or was written by hand', async () => {
    const { edit, history, byHand, at } = await openWorkspace();
    byHand('a', 'old 1\nold 2\nold 3\n');
    const one = await edit('a', 'old 1\nfirst\nold 2\nold 3\n');
    const two = await edit('a', 'top\nold 1\nfirst\nold 2\nlast\n');
    byHand('a', 'top\nold 1\nfirst\nby hand\nold 2\nlast\n');
    const { spans, edits, text } = await history.blame(at('a'));
    expect(spans).toEqual([
      { lines: 1, editId: two.id },
      { lines: 1 },
      { lines: 1, editId: one.id },
      { lines: 2 },
      { lines: 1, editId: two.id },
    ]);
    expect(edits.map(({ id }) => id).sort()).toEqual([one.id, two.id]);
    expect(text.split('\n')).toHaveLength(7);
  });

  it('is still the same after an undo and after a redo', async () => {
    const { edit, history, at } = await openWorkspace();
    const one = await edit('a', 'a\nb\nc\n');
    const two = await edit('a', 'a\nnew\nc\n');
    await history.undo(two.id, person);
    expect((await history.blame(at('a'))).spans).toEqual([{ lines: 3, editId: one.id }]);
    await history.redo(two.id, person);
    expect((await history.blame(at('a'))).spans).toEqual([
      { lines: 1, editId: one.id },
      { lines: 1, editId: two.id },
      { lines: 1, editId: one.id },
    ]);
  });

  it('is told of a file without history, an empty one, and refused for what is no text', async () => {
    const { history, byHand, at } = await openWorkspace();
    byHand('a', 'x\ny');
    expect((await history.blame(at('a'))).spans).toEqual([{ lines: 2 }]);
    byHand('a', '');
    expect((await history.blame(at('a'))).spans).toEqual([]);
    byHand('a', '\0');
    await expect(history.blame(at('a'))).rejects.toMatchObject({ code: 'bad_input' });
    await expect(history.blame(at('none'))).rejects.toMatchObject({ code: 'not_found' });
  });
});
