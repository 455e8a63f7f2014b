import type Database from 'better-sqlite3';

/** Servers of one name that are set aside; the oldest go. */
const MOST_PARKED = 20;

/** Sets aside what is kept of an entry when another one gets its name, and brings it back with the entry. */
export interface Parking {
  /** From now on `name` stands for an entry that runs this. @returns true when what is kept of the name is another's now. */
  enter(name: string, runs: string): boolean;
  /** What `name` runs was changed by the person in the app: it stays the same server. */
  follow(name: string, runs: string): void;
  forget(name: string): void;
}

/** Parking in the database, which has the tables of `trustSchema`. */
export function createParking(db: Database.Database): Parking {
  const readRuns = db.prepare<[string], string | null>('SELECT runs FROM trusted_servers WHERE name = ?').pluck();
  const setRuns = db.prepare(
    `INSERT INTO trusted_servers(name, runs) VALUES (?, ?) ON CONFLICT DO UPDATE SET runs = excluded.runs`,
  );
  const park = db.prepare(
    `INSERT OR REPLACE INTO parked_trust(name, runs, kept)
     SELECT name, runs, json_object(
       'server', json_object('switch', switch, 'hold', hold, 'instructions', instructions, 'used_at', used_at),
       'tools', json((SELECT json_group_array(json_object('key', key, 'hash', hash, 'definition', definition, 'fresh', fresh,
         'declined', declined, 'switch', t.switch, 'hold', t.hold)) FROM trusted_tools t WHERE t.server = s.name)))
     FROM trusted_servers s WHERE name = ?`,
  );
  const prune = db.prepare(
    `DELETE FROM parked_trust WHERE name = ? AND rowid NOT IN
       (SELECT rowid FROM parked_trust WHERE name = ? ORDER BY rowid DESC LIMIT ${MOST_PARKED})`,
  );
  const remove = db.prepare('DELETE FROM trusted_servers WHERE name = ?');
  const unpark = db.prepare('DELETE FROM parked_trust WHERE name = ? AND runs = ?');
  const unparkAll = db.prepare('DELETE FROM parked_trust WHERE name = ?');
  const bringServer = db.prepare(
    `INSERT INTO trusted_servers(name, runs, switch, hold, instructions, used_at)
     SELECT name, runs, kept ->> '$.server.switch', kept ->> '$.server.hold', kept ->> '$.server.instructions',
       kept ->> '$.server.used_at' FROM parked_trust WHERE name = ? AND runs = ?`,
  );
  const bringTools = db.prepare(
    `INSERT INTO trusted_tools(server, key, hash, definition, fresh, declined, switch, hold)
     SELECT p.name, j.value ->> 'key', j.value ->> 'hash', j.value ->> 'definition', j.value ->> 'fresh',
       j.value ->> 'declined', j.value ->> 'switch', j.value ->> 'hold'
     FROM parked_trust p, json_each(p.kept, '$.tools') j WHERE p.name = ? AND p.runs = ?`,
  );

  const enter = db.transaction((name: string, runs: string): boolean => {
    const former = readRuns.get(name);
    if (former === runs) return false;
    // Kept by an earlier version, which did not note what it was kept for.
    if (former === null) {
      setRuns.run(name, runs);
      return false;
    }
    if (former !== undefined) {
      park.run(name);
      prune.run(name, name);
      remove.run(name);
    }
    if (bringServer.run(name, runs).changes === 0) {
      // Nothing is noted of a server before it is seen; what it runs is, so that the next one of the name is told apart.
      setRuns.run(name, runs);
      return former !== undefined;
    }
    bringTools.run(name, runs);
    unpark.run(name, runs);
    return true;
  });

  return {
    enter: (name, runs) => readRuns.get(name) !== runs && enter.immediate(name, runs),
    follow: (name, runs) => void setRuns.run(name, runs),
    forget: (name) => void unparkAll.run(name),
  };
}
