/**
 * What the person decided about attached servers. A row of `trusted_tools` is the definition that was agreed to (by its hash,
 * and whole, to show what changed); `hash` is NULL while none was. `fresh`: it came after its server was first seen, and the
 * person has not looked at it. `declined` is the hash of a definition that the person said no to. `version` grows with each
 * decision, so that every program on the data folder hears of it.
 */
export const trustSchema: readonly string[] = [
  `
  CREATE TABLE trusted_servers (
    name TEXT PRIMARY KEY,
    switch TEXT,
    hold INTEGER,
    instructions INTEGER,
    used_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE trusted_tools (
    server TEXT NOT NULL REFERENCES trusted_servers(name) ON DELETE CASCADE,
    key TEXT NOT NULL,
    hash TEXT,
    definition TEXT,
    fresh INTEGER NOT NULL DEFAULT 0,
    declined TEXT,
    switch TEXT,
    hold INTEGER,
    PRIMARY KEY (server, key)
  ) STRICT;
  CREATE TABLE trust_version (value INTEGER NOT NULL) STRICT;
  INSERT INTO trust_version VALUES (0);
  `,
  // `runs` is a hash of what the server's entry runs. A row of \`parked_trust\` is, as JSON, what was kept of an entry whose name
  // another one has got since.
  `
  ALTER TABLE trusted_servers ADD COLUMN runs TEXT;
  CREATE TABLE parked_trust (
    name TEXT NOT NULL,
    runs TEXT NOT NULL,
    kept TEXT NOT NULL,
    PRIMARY KEY (name, runs)
  ) STRICT;
  `,
];
