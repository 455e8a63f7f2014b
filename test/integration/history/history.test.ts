import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EditView } from '../../../src-shared/index.ts';
import { agentActor, appActor, openTestHistory, readText, type OpenedHistory } from '../../fixtures/history/open.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

async function setUp(): Promise<OpenedHistory & { folder: string; file: string; change: Change }> {
  const folder = temporaryFolder();
  const opened = await openTestHistory(temporaryFolder(), folder);
  onTestFinished(() => opened[Symbol.dispose]());
  const file = path.join(folder, 'file.txt');
  const change: Change = (before, after, actor = agentActor) =>
    opened.history.apply({
      path: file,
      before: before === null ? null : Buffer.from(before),
      after: after === null ? null : Buffer.from(after),
      actor,
    });
  return { ...opened, folder, file, change };
}

type Change = (
  before: string | null,
  after: string | null,
  actor?: typeof agentActor,
) => ReturnType<OpenedHistory['history']['apply']>;

describe('an edit', () => {
  it('is made, listed, and heard of after it is committed', async () => {
    const { change, history, heard, file } = await setUp();
    const edit = await change(null, 'one\ntwo\n');
    expect(edit).toMatchObject({ kind: 'create', state: 'applied', path: file, added: 2, removed: 0, callId: 'call' });
    expect(history.list()).toEqual([edit]);
    expect(heard).toEqual([edit]);
  });

  it('is refused when the file is no longer what the caller saw', async () => {
    const { change, file, history } = await setUp();
    writeFileSync(file, 'mine\n');
    await expect(change('theirs\n', 'new\n')).rejects.toMatchObject({ code: 'conflict' });
    await expect(change(null, 'new\n')).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    expect(history.list()).toEqual([]);
  });

  it('that changes nothing is refused', async () => {
    const { change, file } = await setUp();
    writeFileSync(file, 'same');
    await expect(change('same', 'same')).rejects.toMatchObject({ code: 'bad_input' });
  });

  it('is kept whole only when no edit is being made any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const folder = temporaryFolder();
    const slowWrite = Promise.withResolvers<undefined>();
    const slowStarts = Promise.withResolvers<undefined>();
    using opened = await openTestHistory(temporaryFolder(), folder, (files) => ({
      ...files,
      async write(file, ...rest) {
        if (path.basename(file) === 'slow') {
          slowStarts.resolve(undefined);
          await slowWrite.promise;
        }
        return files.write(file, ...rest);
      },
    }));
    const create = (name: string): Promise<EditView> =>
      opened.history.apply({
        path: path.join(folder, name),
        before: null,
        after: Buffer.from(name),
        actor: agentActor,
      });
    const kept = (): unknown => opened.db.prepare('SELECT COUNT(*) FROM versions').pluck().get();
    await create('quick');
    const slow = create('slow');
    await slowStarts.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(kept()).toBe(0);
    slowWrite.resolve(undefined);
    await slow;
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(kept()).toBe(2));
  });

  it('that cannot be written leaves the file and no trace', async () => {
    const folder = temporaryFolder();
    using opened = await openTestHistory(temporaryFolder(), folder, (files) => ({
      ...files,
      write: () => Promise.reject(new Error('no space')),
    }));
    const file = path.join(folder, 'a');
    writeFileSync(file, 'old');
    const attempt = opened.history.apply({
      path: file,
      before: Buffer.from('old'),
      after: Buffer.from('new'),
      actor: agentActor,
    });
    await expect(attempt).rejects.toThrow('no space');
    expect(readText(folder, 'a')).toBe('old');
    expect(opened.history.list()).toEqual([]);
    expect(opened.heard).toEqual([]);
  });

  it('shows what it changed, also when the file has gone since', async () => {
    const { change, history, file } = await setUp();
    await change(null, 'a\nb\nc\nd\ne\nf\n');
    const edit = await change('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n');
    await change('a\nb\nc\nd\nE\nf\n', null);
    expect(existsSync(file)).toBe(false);
    const detail = history.show(edit.id);
    expect(detail).toMatchObject({ binary: false, cut: false, sizeBefore: 12, sizeAfter: 12, added: 1, removed: 1 });
    expect(detail.hunks).toEqual([
      {
        oldStart: 2,
        newStart: 2,
        lines: [
          { kind: 'same', text: 'b' },
          { kind: 'same', text: 'c' },
          { kind: 'same', text: 'd' },
          { kind: 'del', text: 'e' },
          { kind: 'add', text: 'E' },
          { kind: 'same', text: 'f' },
        ],
      },
    ]);
  });

  it('of a binary file has no hunks', async () => {
    const { history, file } = await setUp();
    const edit = await history.apply({ path: file, before: null, after: Buffer.from([0, 1, 2]), actor: agentActor });
    expect(history.show(edit.id)).toMatchObject({ binary: true, hunks: [], sizeBefore: null, sizeAfter: 3 });
  });

  it('is found by session, path and call', async () => {
    const { change, history, file } = await setUp();
    const edit = await change(null, 'x');
    expect(history.list({ sessionId: 'session', path: file, callId: 'call' })).toEqual([edit]);
    expect(history.list({ sessionId: 'another' })).toEqual([]);
    expect(() => history.show(edit.id + 1)).toThrow(/no edit/);
  });
});

describe('undo', () => {
  it('gives back the bytes before, and is an edit itself', async () => {
    const { change, history, file, heard } = await setUp();
    writeFileSync(file, 'old\r\n\tno end');
    const edit = await change('old\r\n\tno end', 'new\n');
    const undo = await history.undo(edit.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('old\r\n\tno end');
    expect(undo).toMatchObject({ kind: 'undo', of: edit.id, state: 'applied' });
    expect(history.show(edit.id).state).toBe('undone');
    expect(heard.map(({ kind }) => kind)).toEqual(['modify', 'undo']);
  });

  it('of a create removes the file, and redo makes it again', async () => {
    const { change, history, file } = await setUp();
    const edit = await change(null, 'text');
    chmodSync(file, 0o755);
    await history.undo(edit.id, agentActor);
    expect(existsSync(file)).toBe(false);
    await history.redo(edit.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect(statSync(file).mode & 0o777).toBe(0o755);
  });

  it('of a delete brings the file back with its mode', async () => {
    const { change, history, file } = await setUp();
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o750 });
    const edit = await change('#!/bin/sh\n', null);
    expect(edit.kind).toBe('delete');
    await history.undo(edit.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('#!/bin/sh\n');
    expect(statSync(file).mode & 0o777).toBe(0o750);
  });

  it('gives back a large file that was replaced altogether', async () => {
    const { change, history, file } = await setUp();
    const old = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join('\n');
    writeFileSync(file, old);
    const edit = await change(old, 'short');
    await history.undo(edit.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe(old);
  });

  it('is refused when the file was changed by somebody else since', async () => {
    const { change, history, file } = await setUp();
    const edit = await change(null, 'mine');
    writeFileSync(file, 'theirs');
    await expect(history.undo(edit.id, agentActor)).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(file, 'utf8')).toBe('theirs');
  });

  it('of an older edit says which one to undo first', async () => {
    const { change, history } = await setUp();
    const first = await change(null, 'one');
    const second = await change('one', 'two');
    await expect(history.undo(first.id, agentActor)).rejects.toMatchObject({
      code: 'conflict',
      hint: `Undo edit ${second.id} first.`,
    });
  });

  it('walks back and forth through several edits', async () => {
    const { change, history, file } = await setUp();
    const first = await change(null, 'one');
    const second = await change('one', 'two');
    await history.undo(second.id, agentActor);
    await history.undo(first.id, agentActor);
    expect(existsSync(file)).toBe(false);
    await expect(history.redo(second.id, agentActor)).rejects.toMatchObject({ hint: `Redo edit ${first.id} first.` });
    await history.redo(first.id, agentActor);
    await history.redo(second.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('two');
    await expect(history.redo(second.id, agentActor)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('of an undo does the edit again, and undo of that takes it back again', async () => {
    const { change, history, file } = await setUp();
    writeFileSync(file, 'old');
    const edit = await change('old', 'new');
    const undo = await history.undo(edit.id, agentActor);
    const redo = await history.undo(undo.id, agentActor);
    expect(redo).toMatchObject({ kind: 'redo', of: edit.id });
    expect(readFileSync(file, 'utf8')).toBe('new');
    await history.undo(redo.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('old');
    await expect(history.undo(edit.id, agentActor)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('takes an edit that was done again for the newest one', async () => {
    const { change, history, file } = await setUp();
    writeFileSync(file, 'a');
    const first = await change('a', 'b');
    await history.undo(first.id, agentActor);
    const second = await change('a', 'c');
    await history.undo(second.id, agentActor);
    await history.redo(first.id, agentActor);
    expect(history.newestUndoable(file, { all: true })?.id).toBe(first.id);
    await history.undo(first.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('a');
  });

  it('finds only an app its own edits', async () => {
    const { change, history, file } = await setUp();
    const own = await change(null, 'by app', appActor('a'));
    await change('by app', 'by agent');
    expect(history.newestUndoable(file, { appId: 'a' })?.id).toBe(own.id);
    expect(history.newestUndoable(file, { appId: 'b' })).toBeUndefined();
  });
});

describe('what the journal needs', () => {
  it('stays under 2 KB an edit for small edits of a 100 KB file', async () => {
    const { change, file, db } = await setUp();
    let text = Array.from({ length: 2000 }, (_, index) => `line ${index} ${'x'.repeat(38)}`).join('\n');
    writeFileSync(file, text);
    const sizeOf = (): number => Number(db.pragma('page_count', { simple: true })) * 4096;
    const before = sizeOf();
    for (let round = 0; round < 200; round += 1) {
      const next = text.replace(`line ${round * 7} `, `changed ${round} `);
      await change(text, next);
      text = next;
    }
    expect(sizeOf() - before).toBeLessThan(200 * 2000);
  });
});
