import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Actor, History } from '../../../src-main/history/index.ts';
import { agentActor, openTestHistory } from '../../fixtures/history/open.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function change(history: History, file: string, before: string, after: string): ReturnType<History['apply']> {
  return history.apply({ path: file, before: Buffer.from(before), after: Buffer.from(after), actor: agentActor });
}

/** Two programs, as it were, in one workspace. */
async function openTwo() {
  const home = temporaryFolder();
  const workspace = temporaryFolder();
  const [one, two] = [await openTestHistory(home, workspace), await openTestHistory(home, workspace)];
  onTestFinished(() => {
    one[Symbol.dispose]();
    two[Symbol.dispose]();
  });
  const at = (name: string): string => path.join(workspace, name);
  return { one: one.history, two: two.history, workspace, at };
}

/** A call that makes a folder with files and changes each of them twice. */
async function madeByCall({ one, at }: Awaited<ReturnType<typeof openTwo>>, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await one.apply({ path: at(name), before: null, after: Buffer.from('1'), actor: agentActor });
    await change(one, at(name), '1', '2');
    await change(one, at(name), '2', '3');
  }
}

const NAMES = Array.from({ length: 30 }, (_, index) => `in/${index % 3}/${index}`);

describe('two programs that go back at once', () => {
  it.each([
    ['a call', { callId: 'call' }],
    ['a run', { runId: 'run' }],
    ['a session', { sessionId: 'session', since: 0 }],
  ])('take %s back together, each edit once, and call nothing a conflict', async (_what, target) => {
    const both = await openTwo();
    const { one, two, workspace } = both;
    await madeByCall(both, NAMES);
    const reports = await Promise.all([one, two].map((history) => history.revert(target, 'undo', agentActor)));
    expect(reports.flatMap(({ left }) => left)).toEqual([]);
    expect(readdirSync(workspace)).toEqual([]);
    const edits = one.list({ limit: 1000 });
    const undos = edits.filter(({ kind }) => kind === 'undo').map(({ of }) => of);
    expect(new Set(undos).size).toBe(undos.length);
    expect(undos.length).toBe(edits.filter(({ kind }) => kind !== 'undo').length);
    expect(await one.revert(target, 'undo', agentActor)).toEqual({ edits: [], left: [] });
  });

  it('do a call again together', async () => {
    const both = await openTwo();
    const { one, two, at } = both;
    await madeByCall(both, NAMES);
    await one.revert({ callId: 'call' }, 'undo', agentActor);
    const reports = await Promise.all(
      [one, two].map((history) => history.revert({ callId: 'call' }, 'redo', agentActor)),
    );
    expect(reports.flatMap(({ left }) => left)).toEqual([]);
    expect(NAMES.map((name) => readFileSync(at(name), 'utf8'))).toEqual(NAMES.map(() => '3'));
    expect(one.list({ limit: 1000 }).filter(({ state }) => state === 'pending')).toEqual([]);
  });

  it('still leave what a person changed since, both of them', async () => {
    const both = await openTwo();
    await madeByCall(both, ['a', 'b']);
    writeFileSync(both.at('a'), 'by hand');
    const reports = await Promise.all(
      [both.one, both.two].map((history) => history.revert({ callId: 'call' }, 'undo', agentActor)),
    );
    for (const { left } of reports) {
      expect(left).toMatchObject([{ path: both.at('a'), why: expect.stringContaining('changed since') }]);
    }
    expect(readFileSync(both.at('a'), 'utf8')).toBe('by hand');
    expect(existsSync(both.at('b'))).toBe(false);
  });

  it('tell the later of two that its edit is already undone, or settled, not that somebody is at the file', async () => {
    const { one, two, at } = await openTwo();
    for (let round = 0; round < 20; round += 1) {
      const file = at(`file ${round}`);
      writeFileSync(file, 'old');
      const { id } = await change(one, file, 'old', 'new');
      const outcomes = await Promise.allSettled([
        one.undo(id, agentActor),
        round % 2 === 0 ? two.undo(id, agentActor) : two.settleConflict(id, { use: 'before' }, agentActor),
      ]);
      const [refused] = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused?.reason).toMatchObject({ message: expect.stringContaining('is already undone') });
      expect(readFileSync(file, 'utf8')).toBe('old');
    }
  });

  it('give one of them the edit, where it changes permissions alone', async () => {
    const { one, two, at } = await openTwo();
    const file = at('script');
    writeFileSync(file, 'x', { mode: 0o644 });
    const entry = (mode: number) => ({ type: 'file' as const, bytes: Buffer.from('x'), mode });
    chmodSync(file, 0o755);
    await one.observe([{ path: file, before: entry(0o644), after: entry(0o755), actor: agentActor, since: 0 }]);
    await Promise.all([one, two].map((history) => history.revert({ callId: 'call' }, 'undo', agentActor)));
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(one.list().map(({ kind, state }) => `${kind} ${state}`)).toEqual(['undo applied', 'modify undone']);
  });
});

describe('a program that edits while another one goes back', () => {
  it('gets each file either before or after that, and the journal agrees with what is there', async () => {
    const both = await openTwo();
    const { one, two, at } = both;
    await madeByCall(both, NAMES);
    const other: Actor = { ...agentActor, callId: 'other' };
    const editing = NAMES.map(async (name) => {
      const before = existsSync(at(name)) ? readFileSync(at(name)) : null;
      return two.apply({ path: at(name), before, after: Buffer.from('by the other'), actor: other });
    });
    const [report, outcomes] = await Promise.all([
      one.revert({ callId: 'call' }, 'undo', agentActor),
      Promise.allSettled(editing),
    ]);
    expect(one.list({ limit: 1000 }).filter(({ state }) => state === 'pending')).toEqual([]);
    outcomes.forEach((outcome, index) => {
      const name = NAMES[index] ?? '';
      const text = existsSync(at(name)) ? readFileSync(at(name), 'utf8') : null;
      const isLeft = report.left.some(({ path: file }) => file === at(name));
      if (outcome.status === 'fulfilled') expect(text).toBe('by the other');
      else {
        expect(outcome.reason).toMatchObject({ code: 'conflict' });
        expect({ name, text, isLeft }).toEqual({ name, text: null, isLeft: false });
      }
    });
    // Whatever came between: all of it can be taken back.
    await one.revert({ callId: 'other' }, 'undo', agentActor);
    expect(await one.revert({ callId: 'call' }, 'undo', agentActor)).toMatchObject({ left: [] });
    expect(NAMES.filter((name) => existsSync(at(name)))).toEqual([]);
  });
});

describe('two journals on one database', () => {
  it('do not judge each other’s edits while they are being made', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    const { promise: written, resolve: letWrite } = Promise.withResolvers<undefined>();
    const { promise: writing, resolve: startsWriting } = Promise.withResolvers<undefined>();
    using slow = await openTestHistory(home, workspace, (files) => ({
      ...files,
      async write(target, chunks, options) {
        startsWriting(undefined);
        await written;
        return files.write(target, chunks, options);
      },
    }));
    using other = await openTestHistory(home, workspace);
    const edit = change(slow.history, file, 'old', 'new');
    await writing;

    expect(await other.history.recover()).toEqual({ finished: 0, dropped: 0, conflicts: [] });
    await expect(change(other.history, file, 'old', 'other')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('just being changed'),
    });
    letWrite(undefined);
    expect(await edit).toMatchObject({ state: 'applied' });
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('give one of two edits of the same text the file, and the other a conflict', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    using one = await openTestHistory(home, workspace);
    using two = await openTestHistory(home, workspace);
    let text = 'start';
    writeFileSync(file, text);
    for (let round = 0; round < 20; round += 1) {
      const outcomes = await Promise.allSettled([
        change(one.history, file, text, `one ${round}`),
        change(two.history, file, text, `two ${round}`),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      text = readFileSync(file, 'utf8');
      expect([`one ${round}`, `two ${round}`]).toContain(text);
    }
    expect(one.history.list().length).toBe(20);
    expect(two.history.list()).toEqual(one.history.list());
  });

  it('see and take back each other’s edits', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file.txt');
    writeFileSync(file, 'old');
    using one = await openTestHistory(home, workspace);
    using two = await openTestHistory(home, workspace);
    const edit = await change(one.history, file, 'old', 'new');
    const outcomes = await Promise.allSettled([
      one.history.undo(edit.id, agentActor),
      two.history.undo(edit.id, agentActor),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe('old');
  });
});
