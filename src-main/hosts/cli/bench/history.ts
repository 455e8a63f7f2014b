import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Bench } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';

const SIZE_BYTES = 100 * 1024;
const RUNS = 100;

/** A recorded edit of a 100 KB file, against the writes alone that survive a kill at any moment. */
export const historyRecord: Bench = {
  name: 'history.record',
  async run({ app: { history, operatorOf }, folder, sessionId, signal }) {
    const { files } = await operatorOf(sessionId);
    const file = path.join(folder, 'recorded.txt');
    const actor = { sessionId, caller: { kind: 'person' } } as const;
    let current = Buffer.from(randomBytes(SIZE_BYTES / 2).toString('hex'));
    await history.apply({ path: file, before: null, after: current, actor });

    async function record(): Promise<void> {
      const next = Buffer.from(current);
      next.write(randomBytes(8).toString('hex'), SIZE_BYTES / 2);
      await history.apply({ path: file, before: current, after: next, actor });
      current = next;
    }

    using bare = openBareJournal(path.join(folder, 'bare.db'));
    const bareFile = path.join(folder, 'bare.txt');
    const floors: number[] = [];
    const values: number[] = [];
    const writes: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      values.push(...(await sampleMs(RUNS / 4, record, { signal })));
      floors.push(...(await sampleMs(RUNS / 4, () => bare.edit(bareFile, current), { signal })));
      writes.push(...(await sampleMs(RUNS / 4, () => files.write(bareFile, current), { signal })));
    }
    const onTop = median(values) - median(writes);
    return toRow({
      name: 'history.record',
      value: median(values),
      unit: 'ms',
      floor: median(floors),
      goal: 2.5,
      note: `Floor: a durable row before, a file replaced with fsync, the row marked after; no hashes, no patch, no checks. On top of the atomic write of the file alone: ${onTop.toFixed(2)} ms.`,
    });
  },
};

/** What a thousand edits of a 100 KB file add to everything that is kept, in MB. */
export const historyGrowth: Bench = {
  name: 'history.growth',
  async run({ app: { history, store }, folder, sessionId, signal }) {
    const file = path.join(folder, 'growing.txt');
    const actor = { sessionId, caller: { kind: 'person' } } as const;
    let current = Buffer.from(randomBytes(SIZE_BYTES / 2).toString('hex'));
    await history.apply({ path: file, before: null, after: current, actor });
    const kept = (): number => {
      store.db.pragma('wal_checkpoint(TRUNCATE)');
      const bytes = store.fileBytes.list().reduce((sum, { size }) => sum + size, 0);
      return (statSync(store.db.name).size + bytes) / 1e6;
    };
    const before = kept();
    for (let edit = 0; edit < 1000; edit += 1) {
      signal.throwIfAborted();
      const next = Buffer.from(current);
      next.write(randomBytes(8).toString('hex'), Math.floor(Math.random() * (SIZE_BYTES - 16)));
      await history.apply({ path: file, before: current, after: next, actor });
      current = next;
    }
    return toRow({
      name: 'history.growth',
      value: kept() - before,
      unit: 'MB',
      floor: 2,
      goal: 1,
      note: 'Floor: the 2 MB that a thousand edits of a 100 KB file may take, database and stored bytes together.',
    });
  },
};

function openBareJournal(file: string): { edit(file: string, bytes: Uint8Array): void } & Disposable {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE edits(id INTEGER PRIMARY KEY, path TEXT, state TEXT)');
  const insert = db.prepare("INSERT INTO edits(path, state) VALUES (?, 'pending')");
  const mark = db.prepare("UPDATE edits SET state = 'applied' WHERE id = ?");
  return {
    edit(target, bytes) {
      const { lastInsertRowid } = insert.run(target);
      const fd = openSync(`${target}.tmp`, 'w');
      writeSync(fd, bytes);
      fsyncSync(fd);
      closeSync(fd);
      renameSync(`${target}.tmp`, target);
      mark.run(lastInsertRowid);
    },
    [Symbol.dispose]: () => db.close(),
  };
}
