import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { CausewayError } from '../../src-shared/index.ts';
import { makeFolders } from './make-folders.ts';

/** How often a lock that is taken is tried again, in milliseconds. */
const AGAIN_MS = 20;

/**
 * Does work while no other process, and nobody else in this one, does any under the same lock. The lock is SQLite's on a file
 * of its own: the operating system frees it with the process, so that a crash leaves none behind.
 * @throws CausewayError `timeout` when the lock is not free in time; whatever the work throws.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  { deadlineMs }: { deadlineMs: number },
): Promise<T> {
  makeFolders(path.dirname(file), 0o700);
  const end = performance.now() + deadlineMs;
  const lock = new Database(file, { timeout: 0 });
  try {
    while (!take(lock)) {
      if (performance.now() > end) throw new CausewayError('timeout', `Another Causeway holds ${file} too long.`);
      await delay(AGAIN_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * The same for work that waits for nothing.
 * @throws an error with the code SQLITE_BUSY when another one holds the lock for longer than `waitMs`.
 */
export function withFileLockSync<T>(file: string, waitMs: number, work: () => T): T {
  makeFolders(path.dirname(file), 0o700);
  const lock = new Database(file, { timeout: waitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return work();
  } finally {
    lock.close();
  }
}

function take(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
