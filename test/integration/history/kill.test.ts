import { spawn } from 'node:child_process';
import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundlePrograms } from '../../fixtures/bundle.ts';
import { STEPS, type Step } from '../../fixtures/history/die-at.ts';
import { bundleDying, newPlace, textAt, type Death, type Place } from '../../fixtures/history/dying.ts';
import { agentActor, openTestHistory } from '../../fixtures/history/open.ts';
import { BATCH, COMMANDED, EDITED, roundOf, SETTLED, textOfRound } from '../../fixtures/history/rounds.ts';
import { openWatchedHistory, type WatchedHistory } from '../../fixtures/history/watched.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** Raised for a longer search: KILLS=2000 npx vitest run test/integration/history/kill.test.ts */
const KILLS = Number(process.env['KILLS'] ?? 200);
/** How often one workspace sees an editor killed. */
const KILLS_EACH = 10;
/** Editors at the same time, each with a home and a workspace of its own. */
const AT_ONCE = 4;
/** Time in which a kill may fall, in milliseconds: what the editor does, twice. */
const WINDOW_MS = 120;

let bundled: (name: string) => string;
let dieDoing: Awaited<ReturnType<typeof bundleDying>>;
beforeAll(async () => {
  bundled = await bundlePrograms({ editor: new URL('../../fixtures/history/killed-editor.ts', import.meta.url) });
  dieDoing = await bundleDying();
});

/** Starts the editor, lets it work for a moment, kills it with SIGKILL. */
async function editAndKill({ home, workspace }: Place, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [bundled('editor'), home, workspace], { stdio: ['ignore', 'pipe', 'pipe'] });
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
function expectWholeRound(workspace: string, name: string): string | null {
  const file = path.join(workspace, name);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  // Not by a matcher: it would print both texts.
  expect(text === textOfRound(roundOf(text)), `${name} is whole`).toBe(true);
  return text;
}

const ALL = [EDITED, ...BATCH, SETTLED, COMMANDED];

/** The newest edit of a file can be taken back and done again, each time to a whole text. */
async function expectUndoable({ history }: WatchedHistory, workspace: string, name: string): Promise<void> {
  const text = expectWholeRound(workspace, name);
  const newest = history.newestUndoable(path.join(workspace, name), { all: true });
  if (!newest) return;
  await history.undo(newest.id, agentActor);
  expect(expectWholeRound(workspace, name) === text, `${name} is as it was`).toBe(false);
  await history.redo(newest.id, agentActor);
  expect(expectWholeRound(workspace, name) === text, `${name} is as it was`).toBe(true);
}

/**
 * Checks what a killed editor left, after a recovery; gives the number of edits that had to be settled.
 * @param undone the file whose newest edit is taken back.
 */
async function checkAfterKill({ home, workspace }: Place, undone: string): Promise<number> {
  using opened = await openWatchedHistory(home, workspace);
  const { history, snapshots } = opened;
  const report = await history.recover();
  expect(report.conflicts).toEqual([]);
  await snapshots.recover();
  expect(opened.db.prepare(`SELECT id FROM edits WHERE state = 'pending'`).all()).toEqual([]);
  expect(readdirSync(workspace).filter((name) => name.startsWith('.'))).toEqual([]);

  // What was changed by hand a moment before the kill was about to be settled.
  const settled = history.newestUndoable(path.join(workspace, SETTLED), { all: true });
  if (settled) await history.settleConflict(settled.id, { use: 'before' }, agentActor);

  // The journal agrees with every file.
  const planned = await history.preview({ sessionId: agentActor.sessionId, since: 0 }, 'undo');
  expect(planned.filter(({ conflict }) => conflict !== undefined)).toEqual([]);
  for (const name of ALL) expectWholeRound(workspace, name);
  await expectUndoable(opened, workspace, undone);
  await snapshots[Symbol.asyncDispose]();
  await history[Symbol.asyncDispose]();
  return report.finished + report.dropped;
}

/** Kills editors of one workspace one after the other; gives how many edits had to be settled. */
async function killIn(place: Place, kills: number): Promise<number> {
  let settled = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await editAndKill(place, Math.random() * WINDOW_MS);
    settled += await checkAfterKill(place, ALL[kill % ALL.length] ?? EDITED);
  }
  return settled;
}

describe('a program killed at any moment of an edit, an undo of many files, or a command', () => {
  it(`leaves each file old or new, and a journal that agrees (${KILLS} kills)`, { timeout: KILLS * 6000 }, async () => {
    let left = KILLS;
    let settled = 0;
    async function lane(): Promise<void> {
      while (left > 0) {
        left -= KILLS_EACH;
        const place = { home: temporaryFolder(), workspace: temporaryFolder() };
        settled += await killIn(place, KILLS_EACH);
        // After all of it everything can be taken back, down to where there was nothing.
        using opened = await openTestHistory(place.home, place.workspace);
        const all = { sessionId: agentActor.sessionId, since: 0 };
        expect((await opened.history.revert(all, 'undo', agentActor)).left).toEqual([]);
        expect(readdirSync(place.workspace)).toEqual([]);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    // Kills that fall between two edits show nothing. That all do does not happen.
    expect(settled).toBeGreaterThan(0);
  });

  it('leaves a file with hard links whole as well', async () => {
    const place = { home: temporaryFolder(), workspace: temporaryFolder() };
    const file = path.join(place.workspace, EDITED);
    writeFileSync(file, textOfRound(1));
    linkSync(file, path.join(place.workspace, 'another-name.txt'));
    for (let kill = 0; kill < 6; kill += 1) {
      await editAndKill(place, (Math.random() * WINDOW_MS) / 3);
      await checkAfterKill(place, EDITED);
      expect(readFileSync(path.join(place.workspace, 'another-name.txt'))).toEqual(readFileSync(file));
    }
  });
});

/** What recovery has to say of an edit that had come to this step: undefined where the edit never comes to it. */
function expected(
  step: (typeof STEPS)[number],
  deletes: boolean,
): { made: boolean; finished: number; dropped: number } | undefined {
  const [renames, removes] = [STEPS.indexOf('after the rename'), STEPS.indexOf('after the removal')];
  const at = STEPS.indexOf(step);
  const ofWriting = at > 1 && at <= renames;
  const ofRemoving = at > renames && at <= removes;
  if (deletes ? ofWriting : ofRemoving) return undefined;
  const made = at >= (deletes ? removes : renames);
  const pending = at > 0 && step !== 'after the mark';
  return { made, finished: Number(made && pending), dropped: Number(!made && pending) };
}

const EDITS = [
  { kind: 'that makes a file', old: null, young: 'made' },
  { kind: 'that changes a file', old: 'old', young: 'new' },
  { kind: 'that deletes a file', old: 'old', young: null },
];
const DEATHS = EDITS.flatMap((edit) =>
  STEPS.flatMap((step) => {
    const wanted = expected(step, edit.young === null);
    return wanted ? [{ ...edit, step, ...wanted }] : [];
  }),
);

describe('a program killed', () => {
  it.each(DEATHS)('$step, in an edit $kind: the edit was made ($made)', async (death) => {
    const { step, old, young, made, finished, dropped } = death;
    const place = newPlace();
    if (old !== null) writeFileSync(path.join(place.workspace, 'file.txt'), old);
    dieDoing(place, { step }, 'edit', 'file.txt', ...(young === null ? [] : [young]));

    using opened = await openTestHistory(place.home, place.workspace);
    expect(await opened.history.recover()).toEqual({ finished, dropped, conflicts: [] });
    expect(textAt(place)).toBe(made ? young : old);
    expect(readdirSync(place.workspace).filter((name) => name !== 'file.txt')).toEqual([]);
    expect(opened.heard.length).toBe(finished);
    const edit = opened.history.newestUndoable(path.join(place.workspace, 'file.txt'), { all: true });
    expect(edit !== undefined).toBe(made);
    if (edit) await opened.history.undo(edit.id, agentActor);
    expect(textAt(place)).toBe(old);
  });

  it.each([
    { step: 'before the record', nth: 1 },
    { step: 'after the record', nth: 1 },
    { step: 'half of the temporary file written', nth: 2 },
    { step: 'before the rename', nth: 2 },
    { step: 'after the rename', nth: 1 },
    { step: 'after the rename', nth: 2 },
    { step: 'before the sync of the folder', nth: 1 },
    { step: 'after the sync of the folder', nth: 1 },
    { step: 'after the mark', nth: 1 },
  ] satisfies Death[])('$step (no. $nth), while many files were taken back or done again', async (death) => {
    for (const kind of ['undo', 'redo'] as const) {
      const place = newPlace();
      const before = { a: 'old a', b: 'old b', c: null, d: 'old d' };
      const after = { a: 'new a', b: 'new b', c: 'made', d: null };
      {
        using opened = await openTestHistory(place.home, place.workspace);
        for (const name of ['a', 'b', 'd'] as const) writeFileSync(path.join(place.workspace, name), before[name]);
        for (const name of ['a', 'b', 'c', 'd'] as const) {
          const [old, young] = [before[name], after[name]].map((text) => (text === null ? null : Buffer.from(text)));
          const change = { before: old ?? null, after: young ?? null, actor: agentActor };
          await opened.history.apply({ path: path.join(place.workspace, name), ...change });
        }
        if (kind === 'redo') await opened.history.revert({ callId: 'call' }, 'undo', agentActor);
      }
      dieDoing(place, death, kind, 'call');

      using opened = await openTestHistory(place.home, place.workspace);
      const { conflicts } = await opened.history.recover();
      expect(conflicts).toEqual([]);
      for (const name of ['a', 'b', 'c', 'd'] as const) {
        const file = path.join(place.workspace, name);
        const stands = opened.history.newestUndoable(file, { all: true }) !== undefined;
        expect(textAt(place, name)).toBe(stands ? after[name] : before[name]);
      }
      // What was not reached can be done now, and the whole of it taken back.
      const wanted = kind === 'undo' ? [before, after] : [after, before];
      for (const [index, how] of [kind, kind === 'undo' ? 'redo' : 'undo'].entries()) {
        const report = await opened.history.revert({ callId: 'call' }, how === 'undo' ? 'undo' : 'redo', agentActor);
        expect(report.left).toEqual([]);
        const now = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, textAt(place, name)]));
        expect(now).toEqual(wanted[index]);
      }
    }
  });

  it.each(DEATHS.filter(({ young }) => young === 'new'))(
    '$step, while an edit was taken back over what a person wrote: that is kept (made: $made)',
    async ({ step, made }) => {
      const place = newPlace();
      const file = path.join(place.workspace, 'file.txt');
      writeFileSync(file, 'old');
      {
        using opened = await openTestHistory(place.home, place.workspace);
        const change = { path: file, before: Buffer.from('old'), after: Buffer.from('new'), actor: agentActor };
        await opened.history.apply(change);
        await opened.history[Symbol.asyncDispose]();
      }
      writeFileSync(file, 'by hand');
      dieDoing(place, { step }, 'settle', '1');
      using opened = await openTestHistory(place.home, place.workspace);
      expect((await opened.history.recover()).conflicts).toEqual([]);
      expect(textAt(place)).toBe(made ? 'old' : 'by hand');
      if (!made) await opened.history.settleConflict(1, { use: 'before' }, agentActor);
      expect(textAt(place)).toBe('old');
      await opened.history.redo(1, agentActor);
      expect(textAt(place)).toBe('by hand');
    },
  );

  it.each(['before the record', 'after the record', 'after the mark'] satisfies Step[])(
    '%s of what a command did: it is an edit of the command once',
    async (step) => {
      const place = newPlace();
      writeFileSync(path.join(place.workspace, 'file.txt'), 'old');
      dieDoing(place, { step }, 'command', 'file.txt', 'by the command');
      using opened = await openWatchedHistory(place.home, place.workspace);
      await opened.history.recover();
      await opened.snapshots.recover();
      expect(opened.history.list()).toMatchObject([{ kind: 'modify', callId: 'command', state: 'applied' }]);
      expect((await opened.history.revert({ callId: 'command' }, 'undo', agentActor)).left).toEqual([]);
      expect(textAt(place)).toBe('old');
    },
  );

  it('while a command ran and the editor changed one of its files: what else the command did is an edit of it', async () => {
    const place = newPlace();
    for (const name of ['edited.txt', 'file.txt']) writeFileSync(path.join(place.workspace, name), 'old');
    const files = ['edited.txt', 'file.txt'];
    // The copy is that of the edited file as it was before.
    dieDoing(place, { step: 'after the removal of a copy' }, 'command and edit', ...files);
    using opened = await openWatchedHistory(place.home, place.workspace);
    await opened.history.recover();
    await opened.snapshots.recover();
    expect(opened.history.list({ callId: 'command' })).toMatchObject([
      { path: path.join(place.workspace, 'file.txt') },
    ]);
    const all = { sessionId: agentActor.sessionId, since: 0 };
    expect((await opened.history.revert(all, 'undo', agentActor)).left).toEqual([]);
    expect(files.map((name) => textAt(place, name))).toEqual(['old', 'old']);
  });

  it('before somebody else changed the file: that is said, and the file is left alone', async () => {
    const { home, workspace } = newPlace();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    dieDoing({ home, workspace }, { step: 'after the record' }, 'edit', 'file.txt', 'new');
    writeFileSync(file, 'changed by hand');
    using opened = await openTestHistory(home, workspace);
    const { conflicts } = await opened.history.recover();
    expect(conflicts).toMatchObject([{ path: file, state: 'conflict' }]);
    expect(readFileSync(file, 'utf8')).toBe('changed by hand');
    const [edit] = conflicts;
    await expect(opened.history.undo(edit?.id ?? 0, agentActor)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('does not stop another process from editing the same file', async () => {
    const { home, workspace } = newPlace();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    using opened = await openTestHistory(home, workspace);
    dieDoing({ home, workspace }, { step: 'after the rename' }, 'edit', 'file.txt', 'new');
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
