import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import { CausewayError, sessionSummary, type SessionSummary } from '../../src-shared/index.ts';
import { createEmitter, isRunning } from '../platform/index.ts';
import type { SessionStore } from './contract.ts';

const COLUMNS = `id, title, workspace, origin, state, last_outcome AS lastOutcome, created_at AS createdAt, updated_at AS updatedAt`;

/** `owner` is the identity of this process: sessions that it runs are interrupted once it is gone. */
export function createSessionStore(db: Database.Database, owner: string): SessionStore {
  const changed = createEmitter<SessionSummary>();
  const insert = db.prepare(
    `INSERT INTO sessions(id, title, workspace, origin, state, owner, created_at, updated_at)
     VALUES (@id, @title, @workspace, @origin, 'idle', NULL, @at, @at)`,
  );
  const select = db.prepare(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`);
  const selectAll = db.prepare(`SELECT ${COLUMNS} FROM sessions ORDER BY updated_at DESC, rowid DESC`);
  const selectActive = db.prepare<[], { id: string; owner: string | null }>(
    `SELECT id, owner FROM sessions WHERE state IN ('running', 'waiting')`,
  );
  const change = db.prepare(
    `UPDATE sessions SET title = @title, state = @state, last_outcome = @lastOutcome, owner = @owner, updated_at = @at WHERE id = @id`,
  );

  function find(id: string): SessionSummary | undefined {
    const row = select.get(id);
    return row === undefined ? undefined : parseRow(row);
  }

  const store: SessionStore = {
    create({ title, workspace, origin }) {
      const id = randomUUID();
      insert.run({ id, title, workspace, origin, at: Date.now() });
      const session = store.get(id);
      changed.emit(session);
      return session;
    },
    get(id) {
      const session = find(id);
      if (!session) {
        throw new CausewayError('not_found', `There is no session ${id}.`, {
          hint: 'It may be in another data folder. Choose one from the list of sessions.',
        });
      }
      return session;
    },
    find,
    list: () => selectAll.all().map(parseRow),
    update(id, wanted) {
      const session = { ...store.get(id), ...wanted, updatedAt: Date.now() };
      const active = session.state === 'running' || session.state === 'waiting';
      change.run({
        id,
        title: session.title,
        state: session.state,
        lastOutcome: session.lastOutcome ?? null,
        owner: active ? owner : null,
        at: session.updatedAt,
      });
      changed.emit(session);
      return session;
    },
    onChange: (listener) => changed.on(listener),
    markInterrupted() {
      return selectActive
        .all()
        .filter((row) => row.owner === null || !isRunning(row.owner))
        .map((row) => store.update(row.id, { state: 'interrupted', lastOutcome: 'interrupted' }));
    },
  };
  return store;
}

function parseRow(row: unknown): SessionSummary {
  return sessionSummary.parse(dropNulls(row));
}

function dropNulls(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
