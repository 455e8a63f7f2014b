import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { CausewayError } from '../../src-shared/index.ts';

/** The tables of one capability: SQL steps in the order they were ever needed. */
export interface Schema {
  name: string;
  steps: readonly string[];
}

interface Pending {
  schema: string;
  version: number;
  sql: string;
}

/**
 * Brings the database up to date, forward only. A database that already holds data is first copied to `backups/`, and the
 * steps are tried on a second copy, so that a step that fails leaves everything as it was.
 * @throws CausewayError `unavailable` when the database is newer than this program, `io` when a step fails.
 */
export function migrate(db: Database.Database, file: string, schemas: readonly Schema[]): void {
  db.exec('CREATE TABLE IF NOT EXISTS schema_versions (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT');
  const pending = findPending(db, schemas);
  if (pending.length === 0) return;
  const holdsData = db.prepare('SELECT count(*) FROM schema_versions').pluck().get() !== 0;
  if (holdsData) rehearse(db, file, pending);
  // Another process may have migrated while this one looked: look again inside the write transaction.
  db.transaction(() => apply(db, findPending(db, schemas))).immediate();
}

function findPending(db: Database.Database, schemas: readonly Schema[]): Pending[] {
  const versionOf = db.prepare<[string], number>('SELECT version FROM schema_versions WHERE name = ?').pluck();
  return schemas.flatMap(({ name, steps }) => {
    const current = versionOf.get(name) ?? 0;
    if (current > steps.length) {
      throw new CausewayError('unavailable', 'The data folder was written by a newer version of Causeway.', {
        hint: 'Install that version again, or set CAUSEWAY_HOME to another folder.',
      });
    }
    return steps.slice(current).map((sql, index) => ({ schema: name, version: current + index + 1, sql }));
  });
}

function apply(db: Database.Database, pending: readonly Pending[]): void {
  const record = db.prepare(
    'INSERT INTO schema_versions(name, version) VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET version = excluded.version',
  );
  for (const step of pending) {
    db.exec(step.sql);
    record.run(step.schema, step.version);
  }
}

function rehearse(db: Database.Database, file: string, pending: readonly Pending[]): void {
  const folder = path.join(path.dirname(file), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date().toISOString().replace(/[:.]/g, '-');
  const backup = path.join(folder, `causeway-${stamp}.db`);
  const rehearsal = `${backup}.rehearsal`;
  db.prepare('VACUUM INTO ?').run(backup);
  copyFileSync(backup, rehearsal);
  try {
    const copy = new Database(rehearsal);
    try {
      copy.transaction(() => apply(copy, pending))();
      const verdict = copy.pragma('integrity_check', { simple: true });
      if (verdict !== 'ok') throw new Error(String(verdict));
    } finally {
      copy.close();
    }
  } catch (cause) {
    throw new CausewayError('io', 'The database could not be brought to the new version; it was left as it is.', {
      hint: `A backup is in ${backup}. Please report this with the log.`,
      cause,
    });
  } finally {
    rmSync(rehearsal, { force: true });
  }
}
