import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCommandSnapshots } from '../../../src-main/history/index.ts';
import { bundleDying, newPlace, textAt, type Place } from '../../fixtures/history/dying.ts';
import { agentActor, openTestHistory, type OpenedHistory } from '../../fixtures/history/open.ts';
import { LIMITS, openWatchedHistory, type WatchedHistory } from '../../fixtures/history/watched.ts';

let dieDoing: Awaited<ReturnType<typeof bundleDying>>;
beforeAll(async () => {
  dieDoing = await bundleDying();
});

/** Files of a workspace that commands and the editor both change. */
interface Desk extends WatchedHistory {
  place: Place;
  at(name: string): string;
  write(name: string, text: string): void;
}

async function openDesk(place = newPlace()): Promise<Desk> {
  const opened = await openWatchedHistory(place.home, place.workspace);
  onTestFinished(() => close(opened));
  const at = (name: string): string => path.join(place.workspace, name);
  return { ...opened, place, at, write: (name, text) => writeFileSync(at(name), text) };
}

async function close({ snapshots, history, db, ...opened }: WatchedHistory): Promise<void> {
  if (!db.open) return;
  await snapshots[Symbol.asyncDispose]();
  await history[Symbol.asyncDispose]();
  opened[Symbol.dispose]();
}

/** A command that is running: the function it gives ends it. */
async function start({ snapshots, place }: Desk, callId: string): Promise<(goesOn?: boolean) => Promise<unknown>> {
  const command = await snapshots.begin(place.workspace, { ...agentActor, callId }, new AbortController().signal);
  return (goesOn = false) => command.end({ goesOn });
}

/** The editor changes what is there. */
function edit({ history }: OpenedHistory, file: string, text: string) {
  const actor = { ...agentActor, callId: 'editor' };
  return history.apply({ path: file, before: readFileSync(file), after: Buffer.from(text), actor });
}

/** What there is of each call, the oldest first. */
const recorded = ({ history }: OpenedHistory): string[] =>
  history
    .list()
    .reverse()
    .map(({ callId, kind, path: file }) => `${callId} ${kind} ${path.basename(file)}`);

/** Takes back the editor's edit, then what the commands did: both find what they left. */
async function undoBoth(desk: Desk, name: string, texts: { byCommand: string; original: string }): Promise<void> {
  const { history, place } = desk;
  expect((await history.revert({ callId: 'editor' }, 'undo', agentActor)).left).toEqual([]);
  expect(textAt(place, name)).toBe(texts.byCommand);
  expect((await history.revert({ callId: 'command' }, 'undo', agentActor)).left).toEqual([]);
  expect(textAt(place, name)).toBe(texts.original);
}

describe('a file that a command has changed, when the editor changes it next', () => {
  const texts = { byCommand: 'B', original: 'A' };

  it('is an edit of the command first, while the command runs', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    const end = await start(desk, 'command');
    desk.write('f', 'B');
    await edit(desk, desk.at('f'), 'C');
    desk.write('g', 'made');
    await end();
    expect(recorded(desk)).toEqual(['command modify f', 'editor modify f', 'command create g']);
    await undoBoth(desk, 'f', texts);
  });

  it('is an edit of the command first, after its call returned and it goes on', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    await (
      await start(desk, 'command')
    )(true);
    desk.write('f', 'B');
    await edit(desk, desk.at('f'), 'C');
    await desk.watch('next', () => undefined);
    expect(recorded(desk)).toEqual(['command modify f', 'editor modify f']);
    await undoBoth(desk, 'f', texts);
  });

  it('is an edit of the command first, when that could not be recorded at its end', async () => {
    const desk = await openDesk();
    for (const name of ['f', 'g']) desk.write(name, 'A');
    const end = await start(desk, 'command');
    for (const name of ['f', 'g']) desk.write(name, 'B');
    const other = new Database(path.join(desk.place.home, 'causeway.db'));
    onTestFinished(() => void other.close());
    desk.db.pragma('busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    expect(await end()).toMatch(/^What this command changed is not in the history yet/);
    await expect(edit(desk, desk.at('f'), 'C')).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/so nothing was changed: another program keeps the database of the history busy/),
    });
    other.exec('ROLLBACK');
    await edit(desk, desk.at('f'), 'C');
    await desk.watch('next', () => undefined);
    expect(recorded(desk)).toEqual(['command modify f', 'editor modify f', 'command modify g']);
    await undoBoth(desk, 'f', texts);
    expect(textAt(desk.place, 'g')).toBe('A');
  });

  it('is an edit of the command below that of the editor, when the editor is in another program', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    const end = await start(desk, 'command');
    desk.write('f', 'B');
    using elsewhere = await openTestHistory(desk.place.home, desk.place.workspace);
    await edit(elsewhere, desk.at('f'), 'C');
    await edit(elsewhere, desk.at('f'), 'D');
    await end();
    await elsewhere.history[Symbol.asyncDispose]();
    const all = { sessionId: agentActor.sessionId, since: 0 };
    await undoBoth(desk, 'f', texts);
    for (const callId of ['command', 'editor']) {
      expect((await desk.history.revert({ callId }, 'redo', agentActor)).left).toEqual([]);
    }
    expect(textAt(desk.place, 'f')).toBe('D');
    expect((await desk.history.revert(all, 'undo', agentActor)).left).toEqual([]);
    expect(textAt(desk.place, 'f')).toBe('A');
  });

  it('comes back to its original also when another program edited it between two changes of the command', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    const end = await start(desk, 'command');
    desk.write('f', 'B');
    using elsewhere = await openTestHistory(desk.place.home, desk.place.workspace);
    await edit(elsewhere, desk.at('f'), 'C');
    desk.write('f', 'D');
    await end();
    await elsewhere.history[Symbol.asyncDispose]();
    await desk.history.revert({ callId: 'command' }, 'undo', agentActor);
    expect(textAt(desk.place, 'f')).toBe('A');
  });

  it('and the command once more: that is an edit of the command on top', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    const end = await start(desk, 'command');
    await edit(desk, desk.at('f'), 'C');
    // The same as before the edit: that alone does not mean that nothing was done.
    desk.write('f', 'A');
    await end();
    expect(recorded(desk)).toEqual(['editor modify f', 'command modify f']);
    await desk.history.revert({ callId: 'command' }, 'undo', agentActor);
    expect(textAt(desk.place, 'f')).toBe('C');
  });

  it('in a folder that the command has made: folder and file are edits of the command', async () => {
    const desk = await openDesk();
    await desk.watch('earlier', () => undefined);
    const end = await start(desk, 'command');
    await desk.operator.files.makeFolder(desk.at('folder'), {});
    desk.write('folder/f', 'B');
    await edit(desk, desk.at('folder/f'), 'C');
    await end();
    expect(recorded(desk)).toEqual(['command create folder', 'command create f', 'editor modify f']);
    expect((await desk.history.revert({ sessionId: 'session', since: 0 }, 'undo', agentActor)).left).toEqual([]);
    expect(textAt(desk.place, 'folder')).toBeNull();
  });

  it('is recorded first as well when an older edit of it is to be taken back', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    const older = await edit(desk, desk.at('f'), 'A2');
    const end = await start(desk, 'command');
    desk.write('f', 'B');
    await expect(desk.history.undo(older.id, agentActor)).rejects.toMatchObject({ code: 'conflict' });
    expect(recorded(desk)).toEqual(['editor modify f', 'command modify f']);
    await end();
    expect((await desk.history.revert({ sessionId: 'session', since: 0 }, 'undo', agentActor)).left).toEqual([]);
    expect(textAt(desk.place)).toBeNull();
    expect(textAt(desk.place, 'f')).toBe('A');
  });
});

describe('a command that leaves what an older edit left', () => {
  /** A command made B of A; a person made something precious of it. */
  async function beforeTheSameAgain(): Promise<Place> {
    const desk = await openDesk();
    for (const name of ['f', 'g']) desk.write(name, 'A');
    await desk.watch('older', () => {
      desk.write('f', 'B');
    });
    await close(desk);
    writeFileSync(desk.at('f'), 'precious');
    return desk.place;
  }

  it('has made an edit nevertheless, when it was killed', async () => {
    const place = await beforeTheSameAgain();
    dieDoing(place, { step: 'before the record' }, 'command', 'f', 'B');
    const desk = await openDesk(place);
    await desk.snapshots.recover();
    expect(recorded(desk)).toEqual(['older modify f', 'command modify f']);
    await desk.history.revert({ callId: 'command' }, 'undo', agentActor);
    expect(textAt(place, 'f')).toBe('precious');
  });

  it('has made an edit nevertheless, when the clock was set back since', async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60 * 1000 });
    const place = await beforeTheSameAgain();
    vi.useRealTimers();
    const desk = await openDesk(place);
    await desk.watch('command', () => desk.write('f', 'B'));
    expect(recorded(desk)).toEqual(['older modify f', 'command modify f']);
    await desk.history.revert({ callId: 'command' }, 'undo', agentActor);
    expect(textAt(place, 'f')).toBe('precious');
  });
});

describe('a command that changes a file of which', () => {
  it.each(['after the record', 'after the rename'] as const)(
    'another program was taking back an edit when it was killed (%s), has made an edit of it',
    async (step) => {
      const desk = await openDesk();
      desk.write('f', 'A');
      await desk.watch('first', () => desk.write('f', 'B'));
      dieDoing(desk.place, { step }, 'undo', 'first');
      const found = textAt(desk.place, 'f');
      await desk.watch('command', () => desk.write('f', 'lost?'));
      expect(recorded(desk)).toContain('command modify f');
      await desk.history.revert({ callId: 'command' }, 'undo', agentActor);
      expect(textAt(desk.place, 'f')).toBe(found);
    },
  );

  it('another program is just making an edit, waits for that', async () => {
    const desk = await openDesk();
    desk.write('f', 'A');
    const end = await start(desk, 'command');
    desk.write('f', 'B');
    const reached = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<undefined>();
    using elsewhere = await openTestHistory(desk.place.home, desk.place.workspace, (files) => ({
      ...files,
      async write(...given: Parameters<typeof files.write>) {
        reached.resolve(undefined);
        await gate.promise;
        return files.write(...given);
      },
    }));
    const edited = edit(elsewhere, desk.at('f'), 'C');
    await reached.promise;
    const ended = end();
    gate.resolve(undefined);
    await Promise.all([edited, ended]);
    await elsewhere.history[Symbol.asyncDispose]();
    expect(recorded(desk).sort()).toEqual(['command modify f', 'editor modify f']);
    await undoBoth(desk, 'f', { byCommand: 'B', original: 'A' });
  });
});

describe('a command that goes on after its call', () => {
  async function startGoingOn(outlives: boolean): Promise<Desk> {
    const desk = await openDesk();
    desk.write('f', 'A');
    const actor = { ...agentActor, callId: 'command' };
    const command = await desk.snapshots.begin(desk.place.workspace, actor, new AbortController().signal);
    await command.end({ goesOn: true, outlives });
    return desk;
  }

  it('and changes a file before Causeway ends, has made an edit of it', async () => {
    const desk = await startGoingOn(false);
    desk.write('f', 'B');
    await close(desk);
    desk.write('f', 'by hand');
    const next = await openDesk(desk.place);
    await next.snapshots.recover();
    expect(recorded(next)).toEqual(['command modify f']);
  });

  it('and outlives Causeway, has made an edit of what changes until the next command, over any number of starts', async () => {
    const desk = await startGoingOn(true);
    await close(desk);
    for (const text of ['B', 'C']) {
      const next = await openDesk(desk.place);
      await next.snapshots.recover();
      await close(next);
      desk.write('f', text);
    }
    const last = await openDesk(desk.place);
    await last.watch('next', () => desk.write('f', 'D'));
    expect(recorded(last)).toEqual(['command modify f', 'command modify f', 'next modify f']);
    desk.write('f', 'by hand');
    await close(last);
    const later = await openDesk(desk.place);
    await later.snapshots.recover();
    expect(recorded(later)).toHaveLength(3);
  });
});

describe('a command that was killed with Causeway', () => {
  async function killedCommand(): Promise<Place> {
    const place = newPlace();
    writeFileSync(path.join(place.workspace, 'f'), 'A');
    dieDoing(place, { step: 'before the record' }, 'command', 'f', 'B');
    return place;
  }
  /** The folder with the copies. */
  function copiesOf({ home }: Place): string {
    const [name = '', ...others] = readdirSync(path.join(home, 'snapshots'));
    expect(others).toEqual([]);
    return path.join(home, 'snapshots', name);
  }

  it('and had removed the whole workspace: that is recorded, and it comes back', async () => {
    const place = await killedCommand();
    rmSync(place.workspace, { recursive: true });
    // The operator of the next program wants a folder of its own.
    using opened = await openTestHistory(place.home, place.home);
    const snapshots = createCommandSnapshots({
      folder: path.join(place.home, 'snapshots'),
      history: opened.history,
      limits: () => LIMITS,
    });
    expect(await snapshots.recover()).toEqual([]);
    expect(recorded(opened)).toEqual([`command delete ${path.basename(place.workspace)}`, 'command delete f']);
    expect((await opened.history.revert({ callId: 'command' }, 'undo', agentActor)).left).toEqual([]);
    expect(textAt(place, 'f')).toBe('A');
    // Temporary folders are private: what comes back must not be readable by others.
    expect(statSync(place.workspace).mode & 0o777).toBe(0o700);
    await snapshots[Symbol.asyncDispose]();
    await opened.history[Symbol.asyncDispose]();
  });

  it('and whose disk is not there now: that is said, however long, and recorded when it is back', async () => {
    const place = await killedCommand();
    const copies = copiesOf(place);
    const note = path.join(copies, 'index.json');
    const noted = readFileSync(note, 'utf8');
    // Another disk than the one that is there now.
    writeFileSync(note, noted.replace(/"device":\d+/, '"device":1234567'));
    rmSync(place.workspace, { recursive: true });
    const long = new Date(Date.now() - 100 * 24 * 60 * 60 * 1000);
    mkdirSync(place.workspace, { mode: 0o700 });
    utimesSync(copies, long, long);
    for (const _start of [1, 2]) {
      const desk = await openDesk(place);
      const [sentence, ...others] = await desk.snapshots.recover();
      expect(sentence).toContain(`What a command changed in ${place.workspace} is not in the history yet`);
      expect(others).toEqual([]);
      expect(recorded(desk)).toEqual([]);
      await close(desk);
      utimesSync(copies, long, long);
    }
    writeFileSync(path.join(place.workspace, 'f'), 'B');
    const desk = await openDesk(place);
    expect(await desk.snapshots.recover()).toEqual([]);
    expect(recorded(desk)).toEqual(['command modify f']);
  });

  it.each(['index.json', 'open.json'])(
    'and whose note (%s) is damaged: that is said once, and the copies stay',
    async (file) => {
      const place = await killedCommand();
      truncateSync(path.join(copiesOf(place), file), 20);
      const desk = await openDesk(place);
      const [sentence, ...others] = await desk.snapshots.recover();
      expect(sentence).toMatch(/when Causeway was killed could not be recorded: the note .+ is damaged\./);
      expect(sentence).toContain(copiesOf(place));
      expect(others).toEqual([]);
      const copies = readdirSync(copiesOf(place)).filter((name) => name.endsWith('.copy'));
      expect(copies.map((name) => readFileSync(path.join(copiesOf(place), name), 'utf8'))).toContain('A');
      await close(desk);
      const next = await openDesk(place);
      expect(await next.snapshots.recover()).toEqual([]);
    },
  );
});
