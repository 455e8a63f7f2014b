import Database from 'better-sqlite3';
import { CausewayError } from '../../src-shared/index.ts';

/** Runs database work; what the database throws comes out as a sentence. Nothing has been changed then. */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new CausewayError('io', `The edit history could not be used (${error.message}).`, {
      hint: whatToDo(error.code),
      cause: error,
    });
  }
}

function whatToDo(code: string): string {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'Another Causeway keeps it busy: try again in a moment.';
  if (code.startsWith('SQLITE_CORRUPT')) {
    return 'The database is damaged: move causeway.db out of the data folder, and a new one is started. Your files do not depend on it.';
  }
  return 'Check that the disk is not full and that the data folder can be written.';
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
