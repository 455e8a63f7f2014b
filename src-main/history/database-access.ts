import Database from 'better-sqlite3';
import { CausewayError } from '../../src-shared/index.ts';

/** Runs database work; what the database throws comes out as a sentence. Nothing has been changed then. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    const busy = error.code.startsWith('SQLITE_BUSY') || error.code.startsWith('SQLITE_LOCKED');
    throw new CausewayError('io', `The edit history could not be used (${error.message}).`, {
      hint: busy
        ? 'Another Causeway keeps it busy: try again in a moment.'
        : 'Check that the disk is not full and that the data folder can be written.',
      cause: error,
    });
  }
}

/** Runs a transaction that must also survive a power cut (`PRAGMA synchronous`, which can't be changed inside of one). */
export function withFullSync<T>(db: Database.Database, transaction: () => T): T {
  const usual = Number(db.pragma('synchronous', { simple: true }));
  db.pragma('synchronous = FULL');
  try {
    return transaction();
  } finally {
    db.pragma(`synchronous = ${usual}`);
  }
}
