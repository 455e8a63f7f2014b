import { existsSync, renameSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { CausewayError } from '../../src-shared/index.ts';
import { describeDamage, findLoss, type Loss } from './loss.ts';
import { migrate, type Schema } from './migrate.ts';

/** How long one process waits for another one's write, in milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

export interface OpenedDatabase {
  db: Database.Database;
  /** Set when it is a new one in the place of another that was lost. */
  loss: Loss | undefined;
}

/**
 * Opens (or makes) the database file and brings its tables up to date. A damaged file is moved aside and a new one started:
 * the person's own files do not depend on it.
 * @throws CausewayError when the folder can't be written, or a migration fails.
 */
export function openDatabase(file: string, schemas: readonly Schema[]): OpenedDatabase {
  const loss = findLoss(file);
  let why: string;
  try {
    return { db: connect(file, schemas), loss };
  } catch (error) {
    if (!isDamage(error)) throw asOpenError(error, file);
    why = error.message;
  }
  const damaged = `${file}.damaged-${Date.now()}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, damaged + suffix);
  }
  return { db: connect(file, schemas), loss: describeDamage(file, damaged, why) };
}

function connect(file: string, schemas: readonly Schema[]): Database.Database {
  const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // WAL with NORMAL survives a kill; what must also survive a power cut asks for FULL itself (the edit journal).
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    migrate(db, file, schemas);
    examine(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Damage within, which nothing has read yet. */
class Damage extends Error {}

/** A look at every page takes about a millisecond a megabyte: not at every start for what is larger than this, in bytes. */
const EXAMINED_BYTES = 16 * 1024 * 1024;

/** @throws Damage */
function examine(db: Database.Database, file: string): void {
  if (statSync(file).size > EXAMINED_BYTES) return;
  const found: unknown = db.pragma('quick_check(1)', { simple: true });
  if (found !== 'ok') throw new Damage(String(found));
}

function isDamage(error: unknown): error is Error {
  if (error instanceof Damage) return true;
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

function asOpenError(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError) && !(error instanceof TypeError)) return error;
  return new CausewayError('io', `The database ${file} could not be opened (${error.message}).`, {
    hint: 'Check that the folder can be written and the disk is not full, or set CAUSEWAY_HOME to another folder.',
    cause: error,
  });
}
