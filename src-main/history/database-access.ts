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
    return 'The database is damaged: end Causeway, move causeway.db out of the data folder, and start it again: a new one is made, and it is said how to get back what was in the old one. Your files do not depend on it.';
  }
  return 'Check that the disk is not full and that the data folder can be written.';
}

/**
 * Gives a way to run transactions that must also survive a power cut (`PRAGMA synchronous`, which can't be changed inside of one).
 * Everything else survives the end of the program, which is all that is asked of it, and need not wait for the disk.
 */
export function createFullSync(db: Database.Database): <T>(transaction: () => T) => T {
  const usual = Number(db.pragma('synchronous', { simple: true }));
  return (transaction) => {
    // Takes effect when it is compiled, so it can't be prepared once and run often.
    db.exec('PRAGMA synchronous = FULL');
    try {
      return transaction();
    } finally {
      db.exec(`PRAGMA synchronous = ${usual}`);
    }
  };
}
