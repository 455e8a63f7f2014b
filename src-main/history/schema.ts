/**
 * The journal's tables, one entry per step, forward only. Edits outlive the session that made them, so there is no foreign
 * key to it.
 *
 * A row holds the edit as a splice: at `offset`, `removed` gave way to `inserted`. A side is inline, or deflated in the blob
 * store (`*_blob`). `lead` and `trail` are the unchanged text around it, for showing. Hashes are SHA-256 in hexadecimal; NULL
 * means that there is nothing. `position` orders the edits of a file by when they last took effect (a redo moves one up).
 * `mode` are the permission bits before; `mode_after` those after, NULL where the edit left them alone. (A folder that
 * was created with NULL was made on the way to a file.)
 *
 * A row of `versions` is the whole file as an edit left it, deflated in the blob store.
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
  `
  ALTER TABLE edits ADD COLUMN run_id TEXT;
  ALTER TABLE edits ADD COLUMN tool TEXT;
  ALTER TABLE edits ADD COLUMN type_before TEXT NOT NULL DEFAULT 'file';
  ALTER TABLE edits ADD COLUMN type_after TEXT NOT NULL DEFAULT 'file';
  ALTER TABLE edits ADD COLUMN mode_after INTEGER;
  CREATE INDEX edits_by_run ON edits(run_id) WHERE run_id IS NOT NULL;
  CREATE TABLE versions (
    edit_id INTEGER PRIMARY KEY REFERENCES edits(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    blob TEXT NOT NULL,
    size INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX versions_by_path ON versions(path);
  `,
  `
  CREATE INDEX edits_by_path_and_age ON edits(path, id);
  `,
];
