import path from 'node:path';
import Database from 'better-sqlite3';
import { makeFolders } from './make-folders.ts';

/**
 * Does something while no other Causeway holds this lock. The lock is the one that SQLite takes on a file: the system lets go
 * of it when a process ends, however it ends, so that no crash leaves it behind.
 * @param file is made, and stays empty.
 * @throws an error with the code SQLITE_BUSY when another one holds it for longer than `waitMs`.
 */
export function withFileLock<T>(file: string, waitMs: number, work: () => T): T {
  makeFolders(path.dirname(file), 0o700);
  const db = new Database(file, { timeout: waitMs });
  try {
    db.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    db.close();
  }
}
