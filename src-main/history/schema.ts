/**
 * The journal's tables, one entry per step, forward only. Edits outlive the session that made them, so there is no foreign
 * key to it.
 *
 * A row holds the edit as a splice: at `offset`, `removed` gave way to `inserted`. A side is inline, or deflated in the blob
 * store (`*_blob`). `lead` and `trail` are the unchanged text around it, for showing. Hashes are SHA-256 in hexadecimal; NULL
 * means that there is no file. `position` orders the edits of a file by when they last took effect (a redo moves one up).
 */
export const historySchema: readonly string[] = [
  `
  CREATE TABLE edits (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position INTEGER NOT NULL DEFAULT 0,
    session_id TEXT NOT NULL,
    call_id TEXT,
    caller TEXT NOT NULL,
    app_id TEXT,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    of INTEGER REFERENCES edits(id),
    at INTEGER NOT NULL,
    owner TEXT NOT NULL,
    added INTEGER NOT NULL,
    removed_lines INTEGER NOT NULL,
    before_hash TEXT,
    after_hash TEXT,
    before_size INTEGER,
    after_size INTEGER,
    mode INTEGER,
    encoding TEXT NOT NULL,
    offset INTEGER NOT NULL,
    removed BLOB,
    removed_blob TEXT,
    removed_size INTEGER NOT NULL,
    inserted BLOB,
    inserted_blob TEXT,
    inserted_size INTEGER NOT NULL,
    lead BLOB NOT NULL,
    trail BLOB NOT NULL,
    line INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX edits_by_path ON edits(path, position);
  CREATE INDEX edits_by_session ON edits(session_id, id);
  CREATE INDEX edits_by_call ON edits(call_id) WHERE call_id IS NOT NULL;
  CREATE INDEX edits_by_original ON edits(of) WHERE of IS NOT NULL;
  CREATE INDEX edits_pending ON edits(path) WHERE state = 'pending';
  `,
];
