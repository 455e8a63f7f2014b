import { randomBytes } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHistory, type KeepLimits } from '../../../src-main/history/index.ts';
import { openWorkspace, type EditedWorkspace } from '../../fixtures/history/workspace.ts';

const person = { sessionId: 'session', caller: { kind: 'person' } } as const;
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

/** The same history with other limits. */
function limited({ db, blobs, operator }: EditedWorkspace, keep: KeepLimits): ReturnType<typeof openHistory> {
  const history = openHistory({
    db,
    blobs,
    files: operator.files,
    keep: () => keep,
    beforeEdit: () => Promise.resolve(),
    onEdit: () => undefined,
  });
  onTestFinished(() => history[Symbol.asyncDispose]());
  return history;
}

/** As if all edits so far were made that many days ago. */
function age({ db }: EditedWorkspace, days: number): void {
  db.prepare('UPDATE edits SET at = at - ?').run(days * DAY_MS);
}

const text = (): string => randomBytes(30_000).toString('hex');

describe('pruning', () => {
  it('forgets what is too old, but never the newest edit of a file', async () => {
    const workspace = await openWorkspace();
    const { edit, read } = workspace;
    await edit('a', 'one');
    const newest = await edit('a', 'two');
    age(workspace, 100);
    const fresh = await edit('b', 'new');
    const history = limited(workspace, { days: 90, bytes: 1e9 });
    expect(await history.prune(signal)).toMatchObject({ edits: 1 });
    expect(history.list().map(({ id }) => id)).toEqual([fresh.id, newest.id]);
    await history.undo(newest.id, person);
    expect(read('a')).toBe('one');
  });

  it('forgets an old edit together with its undo', async () => {
    const workspace = await openWorkspace();
    const { edit, history } = workspace;
    await history.undo((await edit('a', 'one')).id, person);
    age(workspace, 100);
    await limited(workspace, { days: 90, bytes: 1e9 }).prune(signal);
    expect(history.list()).toEqual([]);
  });

  it('forgets the oldest until the rest fits, and no more', async () => {
    const workspace = await openWorkspace();
    for (let round = 0; round < 600; round += 1) await workspace.edit('a', `${round} ${'x'.repeat(1000)}`);
    const history = limited(workspace, { days: 90, bytes: 5_000 });
    const all = history.list({ limit: 1000 }).length;
    const { edits } = await history.prune(signal);
    expect(edits).toBeGreaterThan(0);
    expect(history.list({ limit: 1000 }).length).toBe(all - edits);
    expect(history.list({ limit: 1 })[0]?.state).toBe('applied');
    expect(await history.prune(signal)).toMatchObject({ edits: 0 });
  });

  it('removes stored bytes that no edit needs any more, but no fresh ones', async () => {
    const workspace = await openWorkspace();
    const { edit, history: own, blobs } = workspace;
    await edit('a', text());
    await edit('a', text());
    await edit('a', text());
    await own[Symbol.asyncDispose]();
    const stored = blobs.list();
    expect(stored.length).toBeGreaterThanOrEqual(3);
    age(workspace, 100);
    const history = limited(workspace, { days: 90, bytes: 1e9 });
    await history.prune(signal);
    expect(blobs.list()).toHaveLength(stored.length);
    const folder = path.join(workspace.db.name, '../file-bytes');
    const long = new Date(Date.now() - DAY_MS);
    for (const { sha256 } of stored) utimesSync(path.join(folder, sha256.slice(0, 2), sha256), long, long);
    await history.prune(signal);
    expect(blobs.list().length).toBeLessThan(stored.length);
    expect(readdirSync(folder).length).toBeGreaterThan(0);
    const [newest] = history.list();
    await history.undo(newest?.id ?? 0, person);
  });

  it('ends when it is told to', async () => {
    const workspace = await openWorkspace();
    await workspace.edit('a', 'one');
    await expect(workspace.history.prune(AbortSignal.abort())).rejects.toThrow();
  });

  it('keeps stored bytes that are stored once more while it is going on', async () => {
    const workspace = await openWorkspace();
    const { blobs, db, operator } = workspace;
    const { sha256 } = blobs.put(Buffer.from(text()));
    const long = new Date(Date.now() - DAY_MS);
    utimesSync(path.join(db.name, '../file-bytes', sha256.slice(0, 2), sha256), long, long);
    const bytes = blobs.read(sha256);
    const list = (): ReturnType<typeof blobs.list> => {
      const listed = blobs.list();
      blobs.put(bytes);
      return listed;
    };
    const history = limited({ ...workspace, db, operator, blobs: { ...blobs, list } }, { days: 90, bytes: 1e9 });
    await history.prune(signal);
    expect(blobs.read(sha256)).toEqual(bytes);
  });
});
