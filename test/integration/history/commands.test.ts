import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EditView } from '../../../src-shared/index.ts';
import { createCommandSnapshots, type CommandSnapshots, type ScanLimits } from '../../../src-main/history/index.ts';
import { agentActor, appActor, openTestHistory, type OpenedHistory } from '../../fixtures/history/open.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { treeOf } from '../../fixtures/tree.ts';

const LIMITS: ScanLimits = {
  exclude: ['node_modules', '.git'],
  ...{ mostFiles: 1000, mostBytes: 10_000_000, mostFileBytes: 1_000_000 },
};

interface Bench extends OpenedHistory {
  snapshots: CommandSnapshots;
  folder: string;
  /** Runs a script in the workspace as a watched command; gives what it came to. */
  run(
    script: string,
    options?: { callId?: string; sessionId?: string; goesOn?: boolean },
  ): Promise<{ edits: EditView[]; note: string | undefined }>;
}

async function open(limits: Partial<ScanLimits> = {}): Promise<Bench> {
  const folder = temporaryFolder();
  const opened = await openTestHistory(temporaryFolder(), folder);
  const copies = temporaryFolder();
  const snapshots = createCommandSnapshots({
    folder: copies,
    history: opened.history,
    limits: () => ({ ...LIMITS, ...limits }),
    tellMs: 0,
  });
  onTestFinished(async () => {
    await snapshots[Symbol.asyncDispose]();
    opened[Symbol.dispose]();
  });
  let calls = 0;
  return {
    ...opened,
    snapshots,
    folder,
    async run(script, { callId = `call-${(calls += 1)}`, sessionId, goesOn = false } = {}) {
      const actor = { ...agentActor, callId, ...(sessionId && { sessionId }) };
      const command = await snapshots.begin(folder, actor, new AbortController().signal);
      execFileSync('bash', ['-c', script], { cwd: folder });
      const note = await command.end({ goesOn });
      return { edits: opened.history.list({ callId }).reverse(), note };
    },
  };
}

/** Takes back everything that the session did. */
async function undoAll({ history }: Bench): Promise<void> {
  const { left } = await history.revert({ sessionId: agentActor.sessionId, since: 0 }, 'undo', agentActor);
  expect(left).toEqual([]);
}

const kinds = (edits: EditView[], folder: string): string[] =>
  edits.map(({ kind, path: file }) => `${kind} ${path.relative(folder, file)}`).sort();

describe('what a command did to files', () => {
  it('becomes edits of its call: changed, made, removed and renamed, and all of it can be taken back', async () => {
    const bench = await open();
    const { folder, run } = bench;
    writeFileSync(path.join(folder, 'changed.txt'), 'one\ntwo\n');
    writeFileSync(path.join(folder, 'removed.bin'), Buffer.from([0, 255, 254, 13, 10]));
    writeFileSync(path.join(folder, 'renamed.sh'), '#!/bin/sh\n');
    chmodSync(path.join(folder, 'renamed.sh'), 0o755);
    const before = treeOf(folder);
    const { edits, note } = await run(
      'echo three >>changed.txt; rm removed.bin; mkdir -p a/b; mv renamed.sh a/b/new.sh; echo x >made',
    );
    expect(kinds(edits, folder)).toEqual([
      'create a',
      'create a/b',
      'create a/b/new.sh',
      'create made',
      'delete removed.bin',
      'delete renamed.sh',
      'modify changed.txt',
    ]);
    expect(edits.find(({ kind }) => kind === 'modify')).toMatchObject({
      added: 1,
      removed: 0,
      caller: agentActor.caller,
    });
    expect(note).toBeUndefined();
    await undoAll(bench);
    expect(treeOf(folder)).toEqual(before);
  });

  it('that changed nothing, or wrote the same bytes again, is no edit', async () => {
    const { folder, run } = await open();
    writeFileSync(path.join(folder, 'same'), 'same\n');
    expect((await run('cat same; touch same; echo same >same; mkdir d; rmdir d')).edits).toEqual([]);
  });

  it('is covered also where only permissions, symlinks or folders were changed', async () => {
    const bench = await open();
    const { folder, run, history } = bench;
    writeFileSync(path.join(folder, 'script'), 'x\n');
    mkdirSync(path.join(folder, 'empty'));
    chmodSync(path.join(folder, 'empty'), 0o750);
    symlinkSync('script', path.join(folder, 'link'));
    const before = treeOf(folder);
    const { edits } = await run('chmod 755 script; chmod 700 empty; ln -sfn elsewhere link; mkdir new; ln -s new l2');
    expect(kinds(edits, folder)).toEqual(['create l2', 'create new', 'modify empty', 'modify link', 'modify script']);
    expect(edits.find(({ path: file }) => file.endsWith('/link'))).toMatchObject({ entry: 'symlink' });
    const script = edits.find(({ path: file }) => file.endsWith('/script'));
    expect(history.show(script?.id ?? 0)).toMatchObject({ mode: { before: 0o644, after: 0o755 }, hunks: [] });
    await undoAll(bench);
    expect(treeOf(folder)).toEqual(before);
  });

  it('is covered where a file became a folder, a folder a symlink, and a symlink a file', async () => {
    const bench = await open();
    const { folder, run, history } = bench;
    mkdirSync(path.join(folder, 'dir/sub'), { recursive: true });
    writeFileSync(path.join(folder, 'dir/sub/f'), 'f');
    writeFileSync(path.join(folder, 'file'), 'file');
    symlinkSync('file', path.join(folder, 'link'));
    const before = treeOf(folder);
    await run('rm file; mkdir file; echo in >file/in; rm -r dir; ln -s file dir; rm link; echo now >link', {
      callId: 'swap',
    });
    const after = treeOf(folder);
    const undone = await history.revert({ callId: 'swap' }, 'undo', agentActor);
    expect(undone.left).toEqual([]);
    expect(treeOf(folder)).toEqual(before);
    expect((await history.revert({ callId: 'swap' }, 'redo', agentActor)).left).toEqual([]);
    expect(treeOf(folder)).toEqual(after);
  });

  it('leaves a folder that it made when somebody else put something in', async () => {
    const { folder, run, history } = await open();
    await run('mkdir made; echo x >made/x', { callId: 'making' });
    writeFileSync(path.join(folder, 'made/mine'), 'mine');
    const { left } = await history.revert({ callId: 'making' }, 'undo', agentActor);
    expect(left).toMatchObject([{ path: path.join(folder, 'made'), entry: 'folder' }]);
    expect(left[0]?.why).toMatch(/is not empty/);
    expect(Object.keys(treeOf(folder))).toEqual(['made', 'made/mine']);
    expect(history.list().filter(({ state }) => state === 'pending')).toEqual([]);
  });

  it('is told from what a person did between two commands', async () => {
    const { folder, run } = await open();
    await run('echo 1 >a');
    writeFileSync(path.join(folder, 'mine'), 'mine\n');
    writeFileSync(path.join(folder, 'a'), '2\n');
    const { edits } = await run('echo 3 >a');
    expect(kinds(edits, folder)).toEqual(['modify a']);
    expect(readFileSync(path.join(folder, 'mine'), 'utf8')).toBe('mine\n');
  });

  it('is told from what the editor did meanwhile', async () => {
    const { folder, history, snapshots, run } = await open();
    writeFileSync(path.join(folder, 'a'), 'old\n');
    await run('true');
    const command = await snapshots.begin(folder, { ...agentActor, callId: 'slow' }, new AbortController().signal);
    const edit = await history.apply({
      ...{ path: path.join(folder, 'a'), before: Buffer.from('old\n'), after: Buffer.from('edited\n') },
      actor: agentActor,
    });
    snapshots.made(edit);
    writeFileSync(path.join(folder, 'b'), 'by the command');
    await command.end({ goesOn: false });
    expect(kinds(history.list({ callId: 'slow' }), folder)).toEqual(['create b']);
  });

  it('after its call returned, because it went on, is its own as well', async () => {
    const { folder, run, history } = await open();
    await run('echo early >early', { callId: 'server', goesOn: true });
    writeFileSync(path.join(folder, 'late'), 'written meanwhile');
    await run('echo other >other', { callId: 'next' });
    expect(kinds(history.list({ callId: 'server' }), folder)).toEqual(['create early', 'create late']);
    expect(kinds(history.list({ callId: 'next' }), folder)).toEqual(['create other']);
  });

  it("of an app is that app's to take back", async () => {
    const { folder, snapshots, history } = await open();
    const command = await snapshots.begin(folder, appActor('one'), new AbortController().signal);
    writeFileSync(path.join(folder, 'a'), 'x');
    await command.end({ goesOn: false });
    expect(history.newestUndoable(path.join(folder, 'a'), { appId: 'one' })).toBeDefined();
    expect(history.newestUndoable(path.join(folder, 'a'), { appId: 'two' })).toBeUndefined();
  });
});

describe('what a command did to the workspace itself', () => {
  it('is covered: its permissions', async () => {
    const bench = await open();
    chmodSync(bench.folder, 0o700);
    const { edits } = await bench.run('chmod 755 .');
    expect(edits.map(({ kind, path: file }) => [kind, file])).toEqual([['modify', bench.folder]]);
    await undoAll(bench);
    expect(statSync(bench.folder).mode & 0o777).toBe(0o700);
  });

  it('is covered: that it is gone, with everything in it', async () => {
    const bench = await open();
    chmodSync(bench.folder, 0o700);
    mkdirSync(path.join(bench.folder, 'a'));
    writeFileSync(path.join(bench.folder, 'a', 'b'), 'private');
    const before = treeOf(bench.folder);
    await bench.run('rm -r "$PWD"');
    await undoAll(bench);
    expect(treeOf(bench.folder)).toEqual(before);
    expect(statSync(bench.folder).mode & 0o777).toBe(0o700);
  });
});

describe('what has the name of a folder that is left out, and is none', () => {
  it('is covered also where such a folder takes its place', async () => {
    const bench = await open();
    const { folder, run } = bench;
    symlinkSync('shared', path.join(folder, 'node_modules'));
    mkdirSync(path.join(folder, 'module'));
    writeFileSync(path.join(folder, 'module', '.git'), 'gitdir: ../elsewhere');
    const before = treeOf(folder);
    await run('rm node_modules module/.git; mkdir node_modules module/.git');
    await undoAll(bench);
    expect(treeOf(folder)).toEqual(before);
  });

  it('is left, and said, when something is in the folder', async () => {
    const { folder, run, history } = await open();
    symlinkSync('shared', path.join(folder, 'node_modules'));
    const { edits } = await run('rm node_modules; mkdir node_modules; echo 1 >node_modules/new');
    expect(kinds(edits, folder)).toEqual(['modify node_modules']);
    const { left } = await history.revert({ sessionId: agentActor.sessionId, since: 0 }, 'undo', agentActor);
    expect(left.map(({ why }) => why)).toEqual([expect.stringContaining('is not empty, so it was left')]);
    expect(readFileSync(path.join(folder, 'node_modules', 'new'), 'utf8')).toBe('1\n');
  });
});

describe('what is not covered', () => {
  it('is never given back older than it was: a file that became too large meanwhile', async () => {
    const { run, folder, history } = await open({ mostFileBytes: 1000 });
    writeFileSync(path.join(folder, 'file'), 'small');
    expect((await run('head -c 5000 /dev/zero >>file')).note).toBe('Not covered by undo: file (too large).');
    const { edits, note } = await run('rm file');
    expect(note).toBe('Changed, and it can not be undone: file.');
    expect(edits).toEqual([]);
    await history.revert({ sessionId: agentActor.sessionId, since: 0 }, 'undo', agentActor);
    expect(existsSync(path.join(folder, 'file'))).toBe(false);
  });

  it('is said once in a session: files that are too large', async () => {
    const { run, folder } = await open({ mostFileBytes: 1000 });
    const first = await run('head -c 5000 /dev/zero >large; echo small >small');
    expect(kinds(first.edits, folder)).toEqual(['create small']);
    expect(first.note).toMatch(/^Not covered by undo: large \(too large\)\.$/);
    expect((await run('true')).note).toBeUndefined();
    const other = await run('true', { sessionId: 'another' });
    expect(other.note).toMatch(/^Not covered by undo: large \(too large\)\.$/);
  });

  it('is said each time: a change that can not be undone', async () => {
    const { run } = await open({ mostFileBytes: 1000 });
    await run('head -c 5000 /dev/zero >large');
    for (const command of ['echo more >>large', 'echo more >>large', 'rm large']) {
      expect((await run(command)).note).toBe('Changed, and it can not be undone: large.');
    }
  });

  it('is said: a workspace with too many files, where nothing is recorded half', async () => {
    const { run, folder } = await open({ mostFiles: 50 });
    mkdirSync(path.join(folder, 'many'));
    for (let file = 0; file < 60; file += 1) writeFileSync(path.join(folder, 'many', String(file)), 'x');
    const { edits, note } = await run('echo y >many/1; rm many/2');
    expect(edits).toEqual([]);
    expect(note).toMatch(/can not be undone: it has more than 50 files/);
    expect((await run('echo y >many/1')).note).toBe(note);
    await run('rm -r many');
    expect(kinds((await run('echo z >z')).edits, folder)).toEqual(['create z']);
  });

  it('is said: everything, where no copies can be made; the command runs all the same', async () => {
    const { history, folder } = await open();
    const file = path.join(temporaryFolder(), 'no folder');
    writeFileSync(file, '');
    await using snapshots = createCommandSnapshots({ folder: file, history, limits: () => LIMITS });
    const command = await snapshots.begin(folder, agentActor, new AbortController().signal);
    expect(await command.end({ goesOn: false })).toMatch(/^What commands change here can not be undone: .+\. See/);
  });

  it('are folders by name, and what symlinks lead to', async () => {
    const { run, folder } = await open();
    const elsewhere = temporaryFolder();
    writeFileSync(path.join(elsewhere, 'out'), 'out');
    symlinkSync(elsewhere, path.join(folder, 'link'));
    const { edits } = await run(
      'mkdir -p node_modules .git/x; echo 1 >node_modules/a; echo 2 >.git/x/b; echo 3 >link/out',
    );
    expect(edits).toEqual([]);
  });
});

it('random commands, undone in the end, leave every byte and permission as it was', async () => {
  const names = ['a', 'b c', 'd/e', 'd/f/g', 'é"$(x)'];
  const name = fc.constantFrom(...names).map((one) => `'${one}'`);
  const step = fc.oneof(
    fc
      .tuple(name, fc.stringMatching(/^[a-z\r\n]{0,20}$/))
      .map(([file, text]) => `mkdir -p d/f; printf %s '${text}' >${file}`),
    name.map((file) => `rm -f ${file}`),
    fc
      .tuple(name, name)
      .map(([from, to]) => `mkdir -p d/f; [ ${from} = ${to} ] || [ ! -e ${from} ] || mv -f ${from} ${to}`),
    name.map((file) => `[ ! -e ${file} ] || printf '\\000\\377' >>${file}`),
    fc.tuple(name, fc.constantFrom('600', '755')).map(([file, mode]) => `[ ! -e ${file} ] || chmod ${mode} ${file}`),
    fc.tuple(name, name).map(([to, file]) => `[ -d ${file} ] || ln -sfn ${to} ${file}`),
    name.map((file) => `rm -rf ${file}; mkdir ${file}; echo x >${file}/x`),
    fc.constantFrom('rm -rf d', 'chmod 750 d', 'mkdir -p e/f; chmod 700 e/f', 'rmdir e/f', 'mv d e'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const bench = await open();
      execFileSync('bash', ['-c', `mkdir -p d/f; printf 'one\\r\\ntwo' >a; echo g >d/f/g`], { cwd: bench.folder });
      const before = treeOf(bench.folder);
      for (const script of steps) await bench.run(`{ ${script}; } 2>/dev/null || true`);
      await undoAll(bench);
      expect(treeOf(bench.folder)).toEqual(before);
    }),
    { numRuns: 25 },
  );
});

it('a command tells how far it is while the workspace is copied, and only then', async () => {
  const { snapshots, folder } = await open();
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, name), name);
  const heard: string[] = [];
  async function command(): Promise<void> {
    const signal = new AbortController().signal;
    const begun = await snapshots.begin(folder, agentActor, signal, (done, total) => heard.push(`${done}/${total}`));
    await begun.end({ goesOn: false });
  }
  await command();
  // The workspace's own folder, too.
  expect(heard).toEqual(['1/4', '2/4', '3/4', '4/4']);
  await command();
  expect(heard).toHaveLength(4);
});
