import type Database from 'better-sqlite3';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ByteStore } from '../store/index.ts';
import { ORIGINAL } from './columns.ts';
import type { KeepLimits, PruneReport } from './contract.ts';
import { guarded } from './database-access.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Edits forgotten in one step: a few milliseconds of the database. */
const STEP = 200;
/** Stored bytes that nothing points at go when they are older than this, in milliseconds: a record may be on its way. */
const FRESH_MS = 60 * 60 * 1000;
/** Bytes of a row that are the edit's own. */
const INLINE = 'COALESCE(LENGTH(removed), 0) + COALESCE(LENGTH(inserted), 0) + LENGTH(lead) + LENGTH(trail)';

/**
 * Forgets edits that are too old, then the oldest until what is kept fits, and then the stored bytes that no edit needs any more.
 * The newest edit of a file that stands is always kept, whatever its age: so the file can be put back. In small steps.
 * @throws the signal's reason.
 */
export async function pruneHistory(
  db: Database.Database,
  blobs: ByteStore,
  limits: KeepLimits,
  signal: AbortSignal,
): Promise<PruneReport> {
  const edits = createEditPruning(db);
  const stored = new Map(blobs.list().map((one) => [one.sha256, one]));
  const report: PruneReport = { edits: 0, bytes: 0 };
  let inline = guarded(() => edits.inlineBytes());

  /** All that edits need, in bytes. */
  function needed(): number {
    const used = guarded(() => edits.usedBlobs());
    return [...used].reduce((sum, sha256) => sum + (stored.get(sha256)?.size ?? 0), inline);
  }

  async function forget(olderThan: number): Promise<boolean> {
    signal.throwIfAborted();
    const gone = guarded(() => edits.forgetOldest(olderThan, STEP));
    report.edits += gone.edits;
    report.bytes += gone.bytes;
    inline -= gone.bytes;
    await nextTurn();
    return gone.edits > 0;
  }

  let more = true;
  while (more) more = await forget(Date.now() - limits.days * DAY_MS);
  more = true;
  while (more && needed() > limits.bytes) more = await forget(Date.now());

  const used = guarded(() => edits.usedBlobs());
  for (const { sha256, size, changedAt } of stored.values()) {
    if (used.has(sha256) || Date.now() - changedAt < FRESH_MS) continue;
    signal.throwIfAborted();
    // Another edit may have stored the same bytes while this was going on.
    if (blobs.remove(sha256, changedAt)) report.bytes += size;
    await nextTurn();
  }
  return report;
}

interface EditPruning {
  /** Forgets up to `most` edits (with their undos and redos) from before a time; gives how many, and their bytes in the rows. */
  forgetOldest(before: number, most: number): PruneReport;
  usedBlobs(): Set<string>;
  inlineBytes(): number;
}

function createEditPruning(db: Database.Database): EditPruning {
  const oldest = db.prepare<[number, number], { id: number }>(
    `SELECT id FROM edits e WHERE ${ORIGINAL} AND state IN ('applied', 'undone', 'dropped', 'conflict') AND at < ?
       AND NOT (state = 'applied' AND position =
         (SELECT MAX(position) FROM edits n WHERE n.path = e.path AND ${ORIGINAL} AND n.state = 'applied'))
       ORDER BY id LIMIT ?`,
  );
  const size = db.prepare<[number, number], { bytes: number | null }>(
    `SELECT SUM(${INLINE}) AS bytes FROM edits WHERE id = ? OR of = ?`,
  );
  const dropTurns = db.prepare<[number]>('DELETE FROM edits WHERE of = ?');
  const drop = db.prepare<[number]>('DELETE FROM edits WHERE id = ?');
  const used = db.prepare<[], { blob: string }>(
    `SELECT removed_blob AS blob FROM edits WHERE removed_blob IS NOT NULL
       UNION SELECT inserted_blob FROM edits WHERE inserted_blob IS NOT NULL UNION SELECT blob FROM versions`,
  );
  const inline = db.prepare<[], { bytes: number | null }>(`SELECT SUM(${INLINE}) AS bytes FROM edits`);
  const forget = db.transaction((before: number, most: number): PruneReport => {
    const gone = { edits: 0, bytes: 0 };
    for (const { id } of oldest.all(before, most)) {
      gone.edits += 1;
      gone.bytes += size.get(id, id)?.bytes ?? 0;
      dropTurns.run(id);
      drop.run(id);
    }
    return gone;
  });
  return {
    forgetOldest: (before, most) => forget.immediate(before, most),
    usedBlobs: () => new Set(used.all().map(({ blob }) => blob)),
    inlineBytes: () => inline.get()?.bytes ?? 0,
  };
}
