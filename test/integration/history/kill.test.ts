import { spawn, spawnSync } from 'node:child_process';
import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agentActor, openTestHistory } from '../../fixtures/history/open.ts';
import { textOfRound } from '../../fixtures/history/rounds.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const EDITOR = fileURLToPath(new URL('../../fixtures/history/killed-editor.ts', import.meta.url));
const ONE_EDIT = fileURLToPath(new URL('../../fixtures/history/killed-at-step.ts', import.meta.url));
/** Raised for a longer search: KILLS=400 npx vitest run test/integration/history/kill.test.ts */
const KILLS = Number(process.env['KILLS'] ?? 40);
/** Time in which a kill may fall, in milliseconds: some ten edits. */
const WINDOW_MS = 60;

/** Starts the editor, lets it work for a moment, kills it with SIGKILL. */
async function editAndKill(home: string, workspace: string, file: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [EDITOR, home, workspace, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: Buffer[] = [];
  child.stderr.on('data', (bytes: Buffer) => complaints.push(bytes));
  const exit = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_code, signal) => resolve(signal)));
  const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  await Promise.race([ready, exit]);
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const signal = await exit;
  clearTimeout(timer);
  expect(Buffer.concat(complaints).toString('utf8')).toBe('');
  expect(signal).toBe('SIGKILL');
}

/** Entirely old or entirely new: the whole text is that of one round. Null when there is no file. */
function expectWholeRound(file: string): string | null {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  expect(text).toBe(textOfRound(Number(/^round (\d+)/.exec(text)?.[1])));
  return text;
}

/** Checks what a killed editor left, after a recovery; gives the number of edits that had to be settled. */
async function checkAfterKill(home: string, workspace: string, file: string): Promise<number> {
  using opened = await openTestHistory(home, workspace);
  const { history } = opened;
  const report = await history.recover();
  expect(report.conflicts).toEqual([]);
  const text = expectWholeRound(file);
  expect(history.list({ limit: 1000 }).filter(({ state }) => state === 'pending')).toEqual([]);
  expect(readdirSync(workspace).filter((name) => name.startsWith('.'))).toEqual([]);

  const newest = history.newestUndoable(file, { all: true });
  if (newest) {
    await history.undo(newest.id, agentActor);
    expect(expectWholeRound(file)).not.toBe(text);
    await history.redo(newest.id, agentActor);
    expect(expectWholeRound(file)).toBe(text);
  }
  return report.finished + report.dropped;
}

describe('a program killed at any moment of an edit', () => {
  it(`leaves the file old or new, and a journal that agrees (${KILLS} kills)`, { timeout: KILLS * 6000 }, async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    let settled = 0;
    // Kills that fell between two edits show nothing: if all did, more follow.
    for (let kill = 0; kill < KILLS || (settled === 0 && kill < 3 * KILLS); kill += 1) {
      await editAndKill(home, workspace, file, Math.random() * WINDOW_MS);
      settled += await checkAfterKill(home, workspace, file);
    }
    expect(settled).toBeGreaterThan(0);

    // After all of it, every edit can be taken back, down to where there was no file.
    using opened = await openTestHistory(home, workspace);
    for (;;) {
      const newest = opened.history.newestUndoable(file, { all: true });
      if (!newest) break;
      await opened.history.undo(newest.id, agentActor);
    }
    expect(existsSync(file)).toBe(false);
  });

  it('leaves a file with hard links whole as well', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, textOfRound(1));
    linkSync(file, path.join(workspace, 'another-name.txt'));
    for (let kill = 0; kill < 10; kill += 1) {
      await editAndKill(home, workspace, file, Math.random() * WINDOW_MS);
      await checkAfterKill(home, workspace, file);
      expect(readFileSync(path.join(workspace, 'another-name.txt'))).toEqual(readFileSync(file));
    }
  });
});

describe('a program killed', () => {
  it.each([
    { step: 'recorded', made: false },
    { step: 'half written', made: false },
    { step: 'changed', made: true },
  ])('when an edit is $step: the edit was made ($made)', async ({ step, made }) => {
    for (const { old, young } of [
      { old: null, young: 'made' },
      { old: 'old', young: 'new' },
      { old: 'old', young: null },
    ]) {
      const home = temporaryFolder();
      const workspace = temporaryFolder();
      const file = path.join(workspace, 'file.txt');
      if (old !== null) writeFileSync(file, old);
      const text = young === null ? [] : [young];
      const { signal } = spawnSync(process.execPath, [ONE_EDIT, home, workspace, file, step, ...text]);
      expect(signal).toBe('SIGKILL');

      using opened = await openTestHistory(home, workspace);
      expect(await opened.history.recover()).toEqual({ finished: made ? 1 : 0, dropped: made ? 0 : 1, conflicts: [] });
      expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(made ? young : old);
      expect(readdirSync(workspace).filter((name) => name !== 'file.txt')).toEqual([]);
      expect(opened.heard.length).toBe(made ? 1 : 0);
      const edit = opened.history.newestUndoable(file, { all: true });
      expect(edit !== undefined).toBe(made);
      if (edit) await opened.history.undo(edit.id, agentActor);
      expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(old);
    }
  });

  it('before somebody else changed the file: that is said, and the file is left alone', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    spawnSync(process.execPath, [ONE_EDIT, home, workspace, file, 'recorded', 'new']);
    writeFileSync(file, 'changed by hand');
    using opened = await openTestHistory(home, workspace);
    const { conflicts } = await opened.history.recover();
    expect(conflicts).toMatchObject([{ path: file, state: 'conflict' }]);
    expect(readFileSync(file, 'utf8')).toBe('changed by hand');
    const [edit] = conflicts;
    await expect(opened.history.undo(edit?.id ?? 0, agentActor)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('does not stop another process from editing the same file', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    using opened = await openTestHistory(home, workspace);
    spawnSync(process.execPath, [ONE_EDIT, home, workspace, file, 'changed', 'new']);
    const edit = await opened.history.apply({
      path: file,
      before: Buffer.from('new'),
      after: Buffer.from('newer'),
      actor: agentActor,
    });
    await opened.history.undo(edit.id, agentActor);
    expect(readFileSync(file, 'utf8')).toBe('new');
  });
});
