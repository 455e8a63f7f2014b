import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentActor, appActor } from '../../fixtures/history/open.ts';
import { openWorkspace } from '../../fixtures/history/workspace.ts';

const person = { sessionId: 'session', caller: { kind: 'person' } } as const;

describe('taking back many edits', () => {
  it('takes back what one call did, several times in one file as well, and does it again', async () => {
    const { edit, history, read } = await openWorkspace();
    await edit('a', 'one', { callId: 'first' });
    await edit('a', 'two', { callId: 'second' });
    await edit('a', 'three', { callId: 'second' });
    await edit('b', 'new', { callId: 'second' });
    const undone = await history.revert({ callId: 'second' }, 'undo', person);
    expect(undone.left).toEqual([]);
    expect(undone.edits.map(({ kind }) => kind)).toEqual(['undo', 'undo', 'undo']);
    expect([read('a'), read('b')]).toEqual(['one', null]);
    await history.revert({ callId: 'second' }, 'redo', person);
    expect([read('a'), read('b')]).toEqual(['three', 'new']);
  });

  it('takes back what a run did', async () => {
    const { edit, history, read } = await openWorkspace();
    await edit('a', 'one', { caller: { kind: 'agent', runId: 'r1' } });
    await edit('a', 'two', { caller: { kind: 'agent', runId: 'r2' } });
    await edit('b', 'three', { caller: { kind: 'agent', runId: 'r2' } });
    await history.revert({ runId: 'r2' }, 'undo', person);
    expect([read('a'), read('b')]).toEqual(['one', null]);
  });

  it('takes back edits by their numbers, in whatever order they are given', async () => {
    const { edit, history, read } = await openWorkspace();
    const [one, two] = [await edit('a', 'one'), await edit('a', 'two')];
    await history.revert({ edits: [one.id, two.id] }, 'undo', person);
    expect(read('a')).toBeNull();
  });

  it('goes back to a point of a session: what was made since goes, what was taken back since comes back', async () => {
    const { edit, history, read } = await openWorkspace();
    const first = await edit('a', 'one');
    await edit('c', 'kept as it is');
    const second = await edit('b', 'two');
    await history.undo(first.id, person);
    await edit('b', 'three');
    await edit('d', 'four');
    const { left } = await history.revert({ sessionId: 'session', since: second.id }, 'undo', person);
    expect(left).toEqual([]);
    expect([read('a'), read('b'), read('c'), read('d')]).toEqual(['one', 'two', 'kept as it is', null]);
    // And that can be taken back as well: to where it was after the newest edit then.
    const newest = history.list({ limit: 1 })[0]?.id ?? 0;
    await history.revert({ sessionId: 'session', since: 0 }, 'undo', person);
    expect([read('a'), read('b'), read('c'), read('d')]).toEqual([null, null, null, null]);
    await history.revert({ sessionId: 'session', since: newest }, 'undo', person);
    expect([read('a'), read('b'), read('c'), read('d')]).toEqual(['one', 'two', 'kept as it is', null]);
  });

  it('does again in the order in which it stood, whatever was done again and taken back since', async () => {
    const { edit, history, read } = await openWorkspace();
    const [one, two] = [await edit('a', 'one'), await edit('a', 'two')];
    await history.undo(two.id, person);
    await history.undo(one.id, person);
    await history.redo(one.id, person);
    await history.undo(one.id, person);
    const { left } = await history.revert({ sessionId: 'session', since: two.id }, 'undo', person);
    expect([left, read('a')]).toEqual([[], 'two']);
    await history.undo(two.id, person);
    await history.undo(one.id, person);
    await history.redo(one.id, person);
    await history.undo(one.id, person);
    expect((await history.revert({ edits: [one.id, two.id] }, 'redo', person)).left).toEqual([]);
    expect(read('a')).toBe('two');
  });

  it('does nothing again on top of what was edited since, also where that came to the same bytes', async () => {
    const { edit, history, read } = await openWorkspace();
    await edit('a', 'old');
    const undone = await edit('a', 'one');
    await history.undo(undone.id, person);
    await edit('a', 'two');
    const newer = await edit('a', 'old');
    await expect(history.redo(undone.id, person)).rejects.toMatchObject({
      code: 'conflict',
      hint: `Undo edit ${newer.id} first.`,
    });
    expect(read('a')).toBe('old');
  });

  it('leaves what other sessions did, and what they did to edits of their own', async () => {
    const { edit, history, read } = await openWorkspace();
    const theirs = await edit('theirs', 'x', { sessionId: 'other' });
    await edit('mine', 'x');
    await history.undo(theirs.id, { ...person, sessionId: 'other' });
    await history.redo(theirs.id, { ...person, sessionId: 'other' });
    await history.revert({ sessionId: 'session', since: 0 }, 'undo', person);
    expect([read('theirs'), read('mine')]).toEqual(['x', null]);
  });

  it('leaves a file that has changed since as it is, says so, and takes back the others', async () => {
    const { edit, history, read, byHand, at } = await openWorkspace();
    await edit('a', 'one', { callId: 'call' });
    const changed = await edit('b', 'two', { callId: 'call' });
    byHand('b', 'by hand');
    expect(await history.preview({ callId: 'call' }, 'undo')).toMatchObject([
      { path: at('a'), will: 'delete' },
      { path: at('b'), will: 'delete', editId: changed.id, conflict: expect.stringContaining('was changed since') },
    ]);
    const { edits, left } = await history.revert({ callId: 'call' }, 'undo', person);
    expect(edits).toHaveLength(1);
    expect(left).toMatchObject([{ editId: changed.id, path: at('b') }]);
    expect([read('a'), read('b')]).toEqual([null, 'by hand']);
  });

  it('leaves a file that a newer edit of another session stands on', async () => {
    const { edit, history, read } = await openWorkspace();
    await edit('a', 'one');
    const newer = await edit('a', 'two', { sessionId: 'other' });
    const { left } = await history.revert({ sessionId: 'session', since: 0 }, 'undo', person);
    expect(left[0]?.why).toContain(`Undo edit ${newer.id} first.`);
    expect(read('a')).toBe('two');
  });

  it('of 300 files is one step for the disk, and loses none', async () => {
    const { edit, history, read } = await openWorkspace();
    for (let file = 0; file < 300; file += 1) await edit(`f${file}`, String(file), { callId: 'many' });
    const { edits, left } = await history.revert({ callId: 'many' }, 'undo', person);
    expect([edits.length, left.length]).toEqual([300, 0]);
    await history.revert({ callId: 'many' }, 'redo', person);
    expect(Array.from({ length: 300 }, (_, file) => read(`f${file}`))).toEqual(
      Array.from({ length: 300 }, (_, file) => String(file)),
    );
  });

  it('by two at once takes each edit back once', async () => {
    const { edit, history, read } = await openWorkspace();
    await edit('a', 'one', { callId: 'call' });
    await edit('b', 'two', { callId: 'call' });
    const both = await Promise.all([
      history.revert({ callId: 'call' }, 'undo', person),
      history.revert({ callId: 'call' }, 'undo', person),
    ]);
    expect(both.flatMap(({ edits }) => edits)).toHaveLength(2);
    expect(both.flatMap(({ left }) => left)).toEqual([]);
    expect([read('a'), read('b')]).toEqual([null, null]);
  });
});

describe('the list of edits', () => {
  it('is filtered by file, part of a path, folder, session, call, run, tool, caller and time, page by page', async () => {
    const { edit, history, at } = await openWorkspace();
    for (const folder of ['src', 'docs']) mkdirSync(at(folder));
    const one = await edit('src/100%_a.ts', 'x', { callId: 'c1', tool: 'bash' });
    const two = await edit('src/b.ts', 'x', { caller: { kind: 'agent', runId: 'r2' } });
    const three = await edit('docs/a.md', 'x', { ...appActor('editor'), sessionId: 'other' });
    const ids = (filter: Parameters<typeof history.list>[0]): number[] => history.list(filter).map(({ id }) => id);
    expect(ids({ path: at('src/b.ts') })).toEqual([two.id]);
    expect(ids({ pathPart: '100%_A' })).toEqual([one.id]);
    expect(ids({ within: at('src') })).toEqual([two.id, one.id]);
    expect(ids({ within: at('SRC') })).toEqual([]);
    expect(ids({ sessionId: 'other' })).toEqual([three.id]);
    expect(ids({ callId: 'c1' })).toEqual([one.id]);
    expect(ids({ runId: 'r2' })).toEqual([two.id]);
    expect(ids({ tool: 'bash' })).toEqual([one.id]);
    expect(ids({ caller: 'agent' })).toEqual([two.id, one.id]);
    expect(ids({ caller: 'editor' })).toEqual([three.id]);
    expect(ids({ from: one.at, to: three.at })).toEqual([three.id, two.id, one.id]);
    expect(ids({ from: three.at + 1 })).toEqual([]);
    expect(ids({ limit: 1, beforeId: three.id })).toEqual([two.id]);
    expect(history.list({ callId: 'c1' })[0]).toMatchObject({ tool: 'bash', caller: agentActor.caller });
  });
});
