import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EditView } from '../../../src-shared/index.ts';
import { agentActor, openTestHistory, type OpenedHistory } from '../../fixtures/history/open.ts';
import { openWatchedHistory } from '../../fixtures/history/watched.ts';
import { openWorkspace } from '../../fixtures/history/workspace.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const person = { sessionId: 'session', caller: { kind: 'person' } } as const;

/** What stands, the oldest first: "create src/". */
function standing({ history }: OpenedHistory, folder: string): string[] {
  const told = ({ kind, path: file, entry }: EditView): string =>
    `${kind} ${path.relative(folder, file)}${entry === 'folder' ? '/' : ''}`;
  return history
    .list()
    .filter(({ state, of }) => state === 'applied' && of === undefined)
    .map(told)
    .reverse();
}

describe('folders that are missing for a new file', () => {
  it('are edits of the same call, the outer one first; the edit of the file is given', async () => {
    const place = await openWorkspace();
    const made = await place.edit('a/b/file', 'text', { callId: 'c', tool: 'editor' });
    expect(made).toMatchObject({ path: place.at('a/b/file'), entry: 'file' });
    expect(standing(place, place.folder)).toEqual(['create a/', 'create a/b/', 'create a/b/file']);
    expect(place.history.list({ callId: 'c', tool: 'editor' })).toHaveLength(3);
    expect(place.heard.map(({ entry }) => entry)).toEqual(['folder', 'folder', 'file']);
  });

  it('are looked for only when a file is made, with one look at a folder that is there', async () => {
    const [home, folder] = [temporaryFolder(), temporaryFolder()];
    const looked: string[] = [];
    using opened = await openTestHistory(home, folder, (files) => ({
      ...files,
      stat(file, options) {
        if (file !== path.join(folder, 'file')) looked.push(file);
        return files.stat(file, options);
      },
    }));
    const change = { path: path.join(folder, 'file'), actor: agentActor };
    await opened.history.apply({ ...change, before: null, after: Buffer.from('one') });
    expect(looked).toEqual([folder]);
    await opened.history.apply({ ...change, before: Buffer.from('one'), after: Buffer.from('two') });
    await opened.history.apply({ ...change, before: Buffer.from('two'), after: null });
    expect(looked).toEqual([folder]);
  });

  it('are recorded once when two files in them are made at the same time', async () => {
    const place = await openWorkspace();
    await Promise.all([place.edit('a/b/one', '1'), place.edit('a/c/two', '2'), place.edit('a/three', '3')]);
    const folders = standing(place, place.folder).filter((told) => told.endsWith('/'));
    expect(folders.sort()).toEqual(['create a/', 'create a/b/', 'create a/c/']);
    expect((await place.history.revert({ callId: 'call' }, 'undo', person)).left).toEqual([]);
    expect(existsSync(place.at('a'))).toBe(false);
  });

  it('go again when the file can not be made', async () => {
    const place = await openWorkspace();
    await expect(place.edit(`a/b/${'x'.repeat(300)}`, 'text')).rejects.toMatchObject({ code: 'bad_input' });
    expect(existsSync(place.at('a'))).toBe(false);
    expect(standing(place, place.folder)).toEqual([]);
  });

  it('are no business of the history where something else is in their place', async () => {
    const place = await openWorkspace();
    place.byHand('a', 'a file');
    await expect(place.edit('a/b/file', 'text')).rejects.toMatchObject({ code: 'bad_input' });
    expect(place.read('a')).toBe('a file');
    expect(standing(place, place.folder)).toEqual([]);
  });
});

describe('folders that were made for a file', () => {
  const ways: { way: string; turn: (opened: OpenedHistory, kind: 'undo' | 'redo', id: number) => Promise<unknown> }[] =
    [
      { way: 'the edit of the file', turn: ({ history }, kind, id) => history[kind](id, person) },
      {
        way: 'the edit of the file, among many',
        turn: ({ history }, kind, id) => history.revert({ edits: [id] }, kind, person),
      },
      { way: 'the call', turn: ({ history }, kind) => history.revert({ callId: 'call' }, kind, person) },
      { way: 'the run', turn: ({ history }, kind) => history.revert({ runId: 'run' }, kind, person) },
      {
        way: 'going back and forward',
        turn: ({ history, heard }, kind) => {
          const since = kind === 'undo' ? 0 : Math.max(...heard.filter(({ of }) => !of).map(({ id }) => id));
          return history.revert({ sessionId: 'session', since }, 'undo', person);
        },
      },
    ];

  it.each(ways)('go with it and come back with it, by $way', async ({ turn }) => {
    const place = await openWorkspace();
    mkdirSync(place.at('there'));
    const { id } = await place.edit('there/a/b/file', 'text');
    const { mode } = statSync(place.at('there/a'));
    for (let round = 0; round < 2; round += 1) {
      await turn(place, 'undo', id);
      expect({ a: existsSync(place.at('there/a')), there: existsSync(place.at('there')) }).toEqual({
        a: false,
        there: true,
      });
      expect(standing(place, place.folder)).toEqual([]);
      await turn(place, 'redo', id);
      expect(place.read('there/a/b/file')).toBe('text');
      expect(statSync(place.at('there/a')).mode).toBe(mode);
      expect(standing(place, place.folder)).toHaveLength(3);
    }
  });

  it.each(ways)('stay when somebody put something into them, without a word, by $way', async ({ turn }) => {
    const place = await openWorkspace();
    const { id } = await place.edit('a/b/file', 'text');
    place.byHand('a/mine', 'by hand');
    const report = await turn(place, 'undo', id);
    expect(report).not.toMatchObject({ left: [{}] });
    expect([place.read('a/mine'), existsSync(place.at('a/b'))]).toEqual(['by hand', false]);
    await turn(place, 'redo', id);
    expect(place.read('a/b/file')).toBe('text');
  });

  it('stay for the file of a later call, and go when both calls are taken back', async () => {
    const place = await openWorkspace();
    await place.edit('a/one', '1', { callId: 'first' });
    await place.edit('a/two', '2', { callId: 'second' });
    await place.history.revert({ callId: 'second' }, 'undo', person);
    expect([place.read('a/one'), place.read('a/two')]).toEqual(['1', null]);
    await place.history.revert({ callId: 'first' }, 'undo', person);
    expect(existsSync(place.at('a'))).toBe(false);
  });

  it('are not what is offered to be taken back next', async () => {
    const place = await openWorkspace();
    const { id } = await place.edit('a/file', 'text');
    place.byHand('a/mine', 'by hand');
    await place.history.undo(id, person);
    expect(place.history.newestUndoable(place.at('a'), { all: true })).toBeUndefined();
  });

  it('go with it when it is taken back although it was changed since', async () => {
    const place = await openWorkspace();
    const { id } = await place.edit('a/file', 'text');
    place.byHand('a/file', 'by hand');
    await expect(place.history.undo(id, person)).rejects.toMatchObject({ code: 'conflict' });
    await place.history.settleConflict(id, { use: 'before' }, person);
    expect(existsSync(place.at('a'))).toBe(false);
    await place.history.redo(id, person);
    expect(place.read('a/file')).toBe('by hand');
  });
});

it('a deleted file brings missing folders back, which go when it is deleted again', async () => {
  const place = await openWorkspace();
  mkdirSync(place.at('a/b'), { recursive: true });
  place.byHand('a/b/file', 'text');
  const { id } = await place.edit('a/b/file', null);
  rmSync(place.at('a'), { recursive: true });
  for (let round = 0; round < 2; round += 1) {
    await place.history.undo(id, person);
    expect(place.read('a/b/file')).toBe('text');
    await place.history.redo(id, person);
    expect(existsSync(place.at('a'))).toBe(false);
  }
  expect((await place.history.revert({ callId: 'call' }, 'undo', person)).left).toEqual([]);
  expect(place.read('a/b/file')).toBe('text');
});

it('a folder that a command made stays when the file in it is taken back alone', async () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  using opened = await openWatchedHistory(home, folder);
  await opened.watch('command', () => mkdirSync(path.join(folder, 'made')));
  const change = { path: path.join(folder, 'made/file'), before: null, after: Buffer.from('text') };
  const { id } = await opened.history.apply({ ...change, actor: { ...agentActor, callId: 'command' } });
  await opened.history.undo(id, person);
  expect(existsSync(path.join(folder, 'made'))).toBe(true);
  await opened.snapshots[Symbol.asyncDispose]();
});
