import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentActor } from '../../fixtures/history/open.ts';
import { openWatchedHistory, type WatchedHistory } from '../../fixtures/history/watched.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { treeOf } from '../../fixtures/tree.ts';

interface Bench extends WatchedHistory {
  folder: string;
  tree(): Record<string, string>;
  /** Runs a script as a call of this name. */
  run(callId: string, script: string): Promise<void>;
  /** The newest edit of a file. */
  editOf(name: string): number;
  /** Takes back what the session did since an edit; all of it must go. */
  backTo(since: number): Promise<void>;
  newest(): number;
}

/** A workspace with `d/e` and `d/f/g` in it; `d` has permissions of its own. */
async function open(): Promise<Bench> {
  const folder = temporaryFolder();
  execFileSync('bash', ['-c', 'mkdir -p d/f; echo e >d/e; echo g >d/f/g'], { cwd: folder });
  chmodSync(path.join(folder, 'd'), 0o750);
  const opened = await openWatchedHistory(temporaryFolder(), folder);
  onTestFinished(async () => {
    await opened.snapshots[Symbol.asyncDispose]();
    await opened.history[Symbol.asyncDispose]();
    opened[Symbol.dispose]();
  });
  const { history } = opened;
  return {
    ...opened,
    folder,
    tree: () => treeOf(folder),
    newest: () => history.list({ limit: 1 })[0]?.id ?? 0,
    editOf: (name) => history.list({ path: path.join(folder, name), limit: 1 })[0]?.id ?? 0,
    async run(callId, script) {
      expect(await opened.watch(callId, () => execFileSync('bash', ['-c', script], { cwd: folder }))).toBeUndefined();
    },
    async backTo(since) {
      const { left } = await history.revert({ sessionId: agentActor.sessionId, since }, 'undo', agentActor);
      expect(left).toEqual([]);
    },
  };
}

describe('a folder that commands changed comes back', () => {
  it.each([
    ['a symlink to where it went, so that its files are still found by their paths', 'mv d e; ln -s e d'],
    ['a symlink to another folder with the same names', 'cp -r d e; rm -r d; ln -s e d'],
    ['a file', 'rm -r d; echo x >d'],
  ])('where it became %s', async (_what, script) => {
    const { run, tree, history } = await open();
    const before = tree();
    await run('call', script);
    const after = tree();
    expect((await history.revert({ callId: 'call' }, 'undo', agentActor)).left).toEqual([]);
    expect(tree()).toEqual(before);
    expect((await history.revert({ callId: 'call' }, 'redo', agentActor)).left).toEqual([]);
    expect(tree()).toEqual(after);
  });

  it('with one file that was in it, as it was itself, and that is an undo that can be done again', async () => {
    const { run, tree, history, editOf, backTo, newest } = await open();
    const before = tree();
    await run('call', 'rm -r d');
    const [removed, after] = [newest(), tree()];
    await history.undo(editOf('d/e'), agentActor);
    const [alone, between] = [newest(), tree()];
    expect(between).toEqual({ d: '750 /', 'd/e': '644 e\n' });
    await backTo(0);
    expect(tree()).toEqual(before);
    await backTo(removed);
    expect(tree()).toEqual(after);
    await backTo(alone);
    expect(tree()).toEqual(between);
  });

  it('where an edit that was done again lies in it', async () => {
    const { run, tree, history, editOf, folder } = await open();
    await run('making', 'mkdir n; chmod 700 n');
    const file = path.join(folder, 'n/x');
    const actor = { ...agentActor, callId: 'editing' };
    const made = await history.apply({ path: file, before: null, after: Buffer.from('x'), actor });
    const after = tree();
    await history.undo(made.id, agentActor);
    await history.undo(editOf('n'), agentActor);
    await history.redo(made.id, agentActor);
    expect(tree()).toEqual(after);
  });

  it('and goes again, where the editor had made it anew meanwhile', async () => {
    const { run, tree, history, backTo, newest, folder } = await open();
    const before = tree();
    await run('call', 'rm -r d');
    const [removed, after] = [newest(), tree()];
    await history.apply({
      path: path.join(folder, 'd/new'),
      before: null,
      after: Buffer.from('new'),
      actor: { ...agentActor, callId: 'editing' },
    });
    await backTo(0);
    expect(tree()).toEqual(before);
    await backTo(removed);
    expect(tree()).toEqual(after);
  });
});

describe('a folder that another call made again', () => {
  it.each([
    ['where nothing was', 'mv d e'],
    ['where a file was', 'rm -r d; echo x >d'],
  ])('%s keeps what came back into it, when all is taken back', async (_what, removal) => {
    const { run, tree, history, backTo } = await open();
    const before = tree();
    await run('removing', removal);
    await run('making', 'rm -f d; mkdir -p d/f');
    // Its own folder can't be taken back with the file: the newer one is there.
    const { left } = await history.revert({ callId: 'removing' }, 'undo', agentActor);
    expect(left).not.toEqual([]);
    expect(tree()).toMatchObject({ 'd/f/g': '644 g\n' });
    await backTo(0);
    expect(tree()).toEqual(before);
  });
});

describe('a folder that is gone already', () => {
  it('is not needed for what was in it for a while only', async () => {
    const { run, tree, history, backTo } = await open();
    await run('linking', 'ln -s e link');
    const before = tree();
    await run('making', 'rm link; mkdir link; echo x >link/x');
    await run('removing', 'rm -r link');
    await history.undo(
      history.list({ callId: 'removing' }).find(({ entry }) => entry === 'folder')?.id ?? 0,
      agentActor,
    );
    await history.revert({ callId: 'making' }, 'undo', agentActor);
    expect(tree()).toEqual(before);
    await backTo(0);
    expect(tree()).not.toHaveProperty('link');
  });
});

describe('a folder that was made again by a redo', () => {
  it('goes after what was put in it before', async () => {
    const { run, tree, history, editOf, backTo } = await open();
    const before = tree();
    await run('making', 'mkdir n; echo x >n/x');
    const made = tree();
    await run('removing', 'rm n/x');
    await history.undo(editOf('n'), agentActor);
    await history.revert({ callId: 'removing' }, 'undo', agentActor);
    expect(tree()).toEqual(made);
    await backTo(0);
    expect(tree()).toEqual(before);
  });
});

describe('a symlink in the place of a folder', () => {
  it('leads no undo elsewhere', async () => {
    const { run, tree, history, editOf } = await open();
    await run('removing', 'rm d/e');
    const removed = editOf('d/e');
    await run('linking', 'mv d other; ln -s other d');
    const before = tree();
    await expect(history.undo(removed, agentActor)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/a symlink in the place of a folder now leads to .*other\/e\.$/),
    });
    expect(tree()).toEqual(before);
    expect(history.list().filter(({ state }) => state === 'pending')).toEqual([]);
  });

  it('takes no file of the same name away from elsewhere', async () => {
    const { run, history, editOf, folder } = await open();
    await run('making', 'echo x >d/x');
    const made = editOf('d/x');
    execFileSync('bash', ['-c', 'mv d other; ln -s other d'], { cwd: folder });
    await expect(history.undo(made, agentActor)).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(path.join(folder, 'other/x'), 'utf8')).toBe('x\n');
  });
});

describe('a folder that cannot come back', () => {
  it('is not made in passing for a file: that stays away, too, and both are told of', async () => {
    const { run, history, editOf, folder } = await open();
    await run('call', 'rm -r d');
    const [file, removed] = [editOf('d/f/g'), editOf('d')];
    writeFileSync(path.join(folder, 'd'), 'by hand');
    const { left } = await history.revert({ edits: [file] }, 'undo', agentActor);
    expect(left.map(({ editId }) => editId)).toContain(file);
    expect(readFileSync(path.join(folder, 'd'), 'utf8')).toBe('by hand');
    expect(existsSync(path.join(folder, 'd/f'))).toBe(false);
    expect(history.list({ limit: 1000 }).find(({ id }) => id === removed)).toMatchObject({ state: 'applied' });
  });
});
