/**
 * The store's own tables, one entry per step, in order. Forward only: a landed step is never edited, a new one is appended.
 * Other capabilities bring theirs the same way (see `openStore`).
 */
export const storeSchema: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    workspace TEXT NOT NULL,
    origin TEXT NOT NULL,
    state TEXT NOT NULL,
    last_outcome TEXT,
    owner TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_session ON events(session_id, seq);
  `,
];
