import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCommandSnapshots, type Entry } from '../../../src-main/history/index.ts';
import { agentActor } from '../../fixtures/history/open.ts';
import { openWorkspace } from '../../fixtures/history/workspace.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const person = { sessionId: 'session', caller: { kind: 'person' } } as const;
const isRoot = process.getuid?.() === 0;
const fileOf = (text: string): Entry => ({ type: 'file', bytes: Buffer.from(text), mode: 0o644 });

describe('the history keeps its word', () => {
  afterEach(() => void vi.useRealTimers());

  it('when the clock goes backwards: edits are taken back in the order in which they were made', async () => {
    const { edit, history, read } = await openWorkspace();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 2) });
    await edit('a', 'one');
    vi.setSystemTime(Date.UTC(2030, 0, 1));
    const later = await edit('a', 'two');
    expect(history.list().map(({ id }) => id)).toEqual([later.id, later.id - 1]);
    expect(history.list({ to: Date.UTC(2030, 0, 1, 12) }).map(({ id }) => id)).toEqual([later.id]);
    expect(await history.prune(new AbortController().signal)).toMatchObject({ edits: 0 });
    await history.revert({ sessionId: 'session', since: later.id - 1 }, 'undo', person);
    expect(read('a')).toBe('one');
  });

  it('over ten thousand edits of one file', async () => {
    const { history, at, read, byHand } = await openWorkspace();
    const MANY = 10_000;
    const changes = Array.from({ length: MANY }, (_, edit) => ({
      ...{ path: at('a'), actor: agentActor, since: Date.now() + 1000 },
      before: edit === 0 ? null : fileOf(`first\n${edit - 1}\n`),
      after: fileOf(`first\n${edit}\n`),
    }));
    await history.observe(changes);
    byHand('a', `first\n${MANY - 1}\n`);
    const [newest] = history.list({ limit: 1 });
    expect(history.list({ path: at('a'), limit: MANY })).toHaveLength(MANY);
    await history.undo(newest?.id ?? 0, person);
    expect(read('a')).toBe(`first\n${MANY - 2}\n`);
    const { spans } = await history.blame(at('a'));
    expect(spans).toEqual([
      { lines: 1, editId: (newest?.id ?? 0) - MANY + 1 },
      { lines: 1, editId: (newest?.id ?? 0) - 1 },
    ]);
  });

  it('while another program keeps the database busy: it says so, changes no file, and works again afterwards', async () => {
    const { edit, db, read } = await openWorkspace();
    await edit('a', 'one');
    db.pragma('busy_timeout = 50');
    const other = new Database(db.name);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(edit('a', 'two')).rejects.toMatchObject({ code: 'io', hint: expect.stringContaining('try again') });
    expect(read('a')).toBe('one');
    other.exec('ROLLBACK');
    await edit('a', 'two');
    expect(read('a')).toBe('two');
  });

  it('when a file vanishes before it is taken back: that is told, and it can be put back as it was', async () => {
    const { edit, history, at, byHand, read } = await openWorkspace();
    byHand('a', 'old');
    const made = await edit('a', 'new');
    rmSync(at('a'));
    await expect(history.undo(made.id, person)).rejects.toMatchObject({ code: 'conflict' });
    await history.settleConflict(made.id, { use: 'before' }, person);
    expect(read('a')).toBe('old');
  });

  it('when a folder stands where a file was', async () => {
    const { edit, history, at } = await openWorkspace();
    const made = await edit('a', 'new');
    rmSync(at('a'));
    mkdirSync(at('a'));
    writeFileSync(path.join(at('a'), 'in'), 'kept');
    await expect(history.undo(made.id, person)).rejects.toMatchObject({ code: 'conflict' });
    expect(readdirSync(at('a'))).toEqual(['in']);
  });

  it.skipIf(isRoot)('in a folder that may not be written: nothing is changed, nothing stays pending', async () => {
    const { edit, history, folder, db } = await openWorkspace();
    const made = await edit('a', 'new');
    chmodSync(folder, 0o500);
    onTestFinished(() => chmodSync(folder, 0o700));
    const { left } = await history.revert({ edits: [made.id] }, 'undo', person);
    expect(left[0]?.why).toMatch(/permission denied/);
    expect(db.prepare(`SELECT id FROM edits WHERE state = 'pending'`).all()).toEqual([]);
  });

  it('in a workspace with names of every kind', async () => {
    const { history, folder, read } = await openWorkspace();
    await using snapshots = createCommandSnapshots({
      folder: temporaryFolder(),
      history,
      limits: () => ({ exclude: [], mostFiles: 1000, mostBytes: 1e7, mostFileBytes: 1e6 }),
    });
    const names = ['-rf', 'line\nend', '$(x) `y` "z"', '👩‍👩‍👧', 'x'.repeat(255)];
    for (const name of names) writeFileSync(path.join(folder, name), 'old');
    const command = await snapshots.begin(folder, { ...agentActor, callId: 'all' }, new AbortController().signal);
    // A name that is no text: it can't be told apart by Node, and must disturb nothing.
    execFileSync('bash', ['-c', `for f in ./*; do echo new >"$f"; done; echo x >$'\\xff\\xfe'`], { cwd: folder });
    await command.end({ goesOn: false });
    const { left } = await history.revert({ callId: 'all' }, 'undo', person);
    expect(left).toEqual([]);
    expect(names.map(read)).toEqual(names.map(() => 'old'));
  });
});
