import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleDying, newPlace, textAt, type Death } from '../../fixtures/history/dying.ts';
import { agentActor, openTestHistory } from '../../fixtures/history/open.ts';
import { openWatchedHistory } from '../../fixtures/history/watched.ts';

let dieDoing: Awaited<ReturnType<typeof bundleDying>>;
beforeAll(async () => {
  dieDoing = await bundleDying();
});

describe('a program killed', () => {
  it.each([
    { step: 'before the record', nth: 1, made: 0, finished: 0, dropped: 0 },
    { step: 'after the record', nth: 1, made: 0, finished: 0, dropped: 3 },
    { step: 'before a folder is made', nth: 1, made: 0, finished: 0, dropped: 3 },
    { step: 'after a folder is made', nth: 1, made: 1, finished: 1, dropped: 2 },
    { step: 'after the sync of the folder', nth: 1, made: 1, finished: 1, dropped: 2 },
    { step: 'before a folder is made', nth: 2, made: 1, finished: 1, dropped: 2 },
    { step: 'after a folder is made', nth: 2, made: 2, finished: 2, dropped: 1 },
    { step: 'half of the temporary file written', nth: 1, made: 2, finished: 2, dropped: 1 },
    { step: 'before the rename', nth: 1, made: 2, finished: 2, dropped: 1 },
    { step: 'after the rename', nth: 1, made: 3, finished: 3, dropped: 0 },
    { step: 'after the mark', nth: 1, made: 3, finished: 0, dropped: 0 },
  ] satisfies (Required<Death> & { made: number; finished: number; dropped: number })[])(
    '$step (no. $nth), in an edit that makes a file in two new folders: $made of the three are made',
    async ({ step, nth, made, finished, dropped }) => {
      const place = newPlace();
      dieDoing(place, { step, nth }, 'edit', 'a/b/file.txt', 'made');
      using opened = await openTestHistory(place.home, place.workspace);
      expect(await opened.history.recover()).toEqual({ finished, dropped, conflicts: [] });
      const all = ['a', 'a/b', 'a/b/file.txt'];
      const there = (): string[] => readdirSync(place.workspace, { recursive: true }).map(String).sort();
      expect(there()).toEqual(all.slice(0, made));
      for (const kind of ['undo', 'redo', 'undo'] as const) {
        expect((await opened.history.revert({ callId: 'call' }, kind, agentActor)).left).toEqual([]);
        expect(there()).toEqual(kind === 'undo' ? [] : all.slice(0, made));
      }
    },
  );

  it.each([
    { step: 'after the record', nth: 1 },
    { step: 'after the removal', nth: 1 },
    { step: 'before a folder is removed', nth: 1 },
    { step: 'after a folder is removed', nth: 1 },
    { step: 'after a folder is removed', nth: 2 },
  ] satisfies Death[])('$step (no. $nth), while a file went with its two folders: all of it can go', async (death) => {
    const place = newPlace();
    dieDoing(place, { step: 'after the mark' }, 'edit', 'a/b/file.txt', 'made');
    dieDoing(place, death, 'undo', 'call');
    using opened = await openTestHistory(place.home, place.workspace);
    expect((await opened.history.recover()).conflicts).toEqual([]);
    for (const kind of ['undo', 'redo'] as const) {
      expect((await opened.history.revert({ callId: 'call' }, kind, agentActor)).left).toEqual([]);
      expect(textAt(place, 'a/b/file.txt')).toBe(kind === 'undo' ? null : 'made');
      expect(existsSync(path.join(place.workspace, 'a'))).toBe(kind === 'redo');
    }
  });

  it.each([
    { step: 'after the record', nth: 1, kind: 'undo' },
    { step: 'after the removal', nth: 1, kind: 'undo' },
    { step: 'before a folder is removed', nth: 1, kind: 'undo' },
    { step: 'after a folder is removed', nth: 1, kind: 'undo' },
    { step: 'half of the temporary file written', nth: 1, kind: 'undo' },
    { step: 'before the rename', nth: 1, kind: 'undo' },
    { step: 'after the rename', nth: 1, kind: 'undo' },
    { step: 'before the removal', nth: 1, kind: 'redo' },
    { step: 'after the removal', nth: 1, kind: 'redo' },
    { step: 'before a folder is made', nth: 1, kind: 'redo' },
    { step: 'after a folder is made', nth: 1, kind: 'redo' },
  ] satisfies (Required<Death> & { kind: 'undo' | 'redo' })[])(
    '$step, in the $kind of a file that became a folder: it can be done again, whole',
    async ({ kind, ...death }) => {
      const place = newPlace();
      const there = (): string => (statSync(path.join(place.workspace, 'place')).isDirectory() ? 'folder' : 'file');
      writeFileSync(path.join(place.workspace, 'place'), 'old');
      {
        using opened = await openWatchedHistory(place.home, place.workspace);
        const at = path.join(place.workspace, 'place');
        await opened.watch('call', () => {
          rmSync(at);
          mkdirSync(at);
          writeFileSync(path.join(at, 'in'), 'in');
        });
        await opened.snapshots[Symbol.asyncDispose]();
        if (kind === 'redo') await opened.history.revert({ callId: 'call' }, 'undo', agentActor);
      }
      dieDoing(place, death, kind, 'call');
      using opened = await openTestHistory(place.home, place.workspace);
      expect((await opened.history.recover()).conflicts).toEqual([]);
      for (const how of ['undo', 'redo', 'undo'] as const) {
        expect((await opened.history.revert({ callId: 'call' }, how, agentActor)).left).toEqual([]);
        expect(there()).toBe(how === 'undo' ? 'file' : 'folder');
      }
      expect(textAt(place, 'place')).toBe('old');
    },
  );

  it.each([
    { step: 'before the record', nth: 1 },
    { step: 'after the record', nth: 1 },
    { step: 'before the record', nth: 2 },
    { step: 'after the record', nth: 2 },
    { step: 'after the mark', nth: 1 },
  ] satisfies Death[])(
    '$step (no. $nth), while a session was gone back over a folder that came and went: it can be gone back whole',
    async (death) => {
      const place = newPlace();
      const at = path.join(place.workspace, 'd');
      {
        using opened = await openWatchedHistory(place.home, place.workspace);
        await opened.watch('coming', () => {
          mkdirSync(at);
          writeFileSync(path.join(at, 'f'), 'in');
        });
        await opened.watch('changing', () => writeFileSync(path.join(at, 'f'), 'other'));
        await opened.watch('going', () => rmSync(at, { recursive: true }));
        await opened.snapshots[Symbol.asyncDispose]();
      }
      dieDoing(place, death, 'back', '0');
      using opened = await openTestHistory(place.home, place.workspace);
      expect((await opened.history.recover()).conflicts).toEqual([]);
      expect((await opened.history.revert({ sessionId: 'session', since: 0 }, 'undo', agentActor)).left).toEqual([]);
      expect(readdirSync(place.workspace)).toEqual([]);
      const calls = { coming: 'in', changing: 'other', going: null };
      for (const [callId, text] of Object.entries(calls)) {
        expect((await opened.history.revert({ callId }, 'redo', agentActor)).left).toEqual([]);
        expect(textAt(place, 'd/f')).toBe(text);
      }
    },
  );
});
