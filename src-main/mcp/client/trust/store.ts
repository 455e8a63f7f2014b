import type Database from 'better-sqlite3';
import { z } from 'zod';
import { toolSwitch, type ToolSwitch } from '../../../../src-shared/index.ts';
import { createParking, type Parking } from './parked.ts';

/** What is kept of one tool. */
export interface ToolRecord {
  /** Of the definition that was agreed to; null while none was. */
  hash: string | null;
  /** That definition, as readable text. */
  definition: string;
  fresh: boolean;
  declined: string | null;
  switch: ToolSwitch | null;
  hold: boolean | null;
}

/** What is kept of one server. */
export interface ServerRecord {
  switch: ToolSwitch | null;
  hold: boolean | null;
  /** Whether the model is given its instructions; null: as long as nothing in them is flagged. */
  instructions: boolean | null;
}

/** Where decisions about servers are kept. */
export interface TrustStore extends Omit<Parking, 'enter'> {
  /** Another number after each decision, by whichever program on the same data. */
  readonly version: number;
  /** Undefined when the server was never seen. */
  server(name: string): ServerRecord | undefined;
  tools(server: string): Map<string, ToolRecord>;
  /** `decision` is false for what is only noted (a first sight): nobody need hear of it. */
  save(
    server: string,
    change: { server?: Partial<ServerRecord>; tools?: ReadonlyMap<string, ToolRecord> },
    decision: boolean,
  ): void;
  /** From now on the name stands for an entry that runs this: another one than before inherits nothing. */
  enter(server: string, runs: string): void;
  used(server: string, at: number): void;
  /** Servers by when a tool of theirs was last used, the newest first. */
  recent(): string[];
}

const NOTHING: ServerRecord = { switch: null, hold: null, instructions: null };

/** Decisions that end with the program. */
export function createMemoryTrustStore(): TrustStore {
  const servers = new Map<string, { record: ServerRecord; tools: Map<string, ToolRecord>; usedAt: number }>();
  let version = 0;

  function open(name: string): { record: ServerRecord; tools: Map<string, ToolRecord>; usedAt: number } {
    const known = servers.get(name);
    if (known) return known;
    const made = { record: NOTHING, tools: new Map<string, ToolRecord>(), usedAt: 0 };
    servers.set(name, made);
    return made;
  }

  return {
    get version() {
      return version;
    },
    server: (name) => servers.get(name)?.record,
    tools: (name) => new Map(servers.get(name)?.tools),
    save(name, change, decision) {
      const kept = open(name);
      kept.record = { ...kept.record, ...change.server };
      for (const [key, tool] of change.tools ?? []) kept.tools.set(key, tool);
      if (decision) version += 1;
    },
    // Servers of one process only have no entry that could come back.
    enter: () => undefined,
    follow: () => undefined,
    forget(name) {
      if (servers.delete(name)) version += 1;
    },
    used(name, at) {
      const kept = servers.get(name);
      if (kept) kept.usedAt = at;
    },
    recent: () =>
      [...servers.entries()]
        .filter(([, { usedAt }]) => usedAt > 0)
        .sort(([, one], [, other]) => other.usedAt - one.usedAt)
        .map(([name]) => name),
  };
}

const flag = z.number().nullable();
const serverRow = z.object({ switch: toolSwitch.nullable().catch(null), hold: flag, instructions: flag });
const toolRow = z.object({
  key: z.string(),
  hash: z.string().nullable(),
  definition: z.string().nullable(),
  fresh: z.number(),
  declined: z.string().nullable(),
  switch: toolSwitch.nullable().catch(null),
  hold: flag,
});

/** Decisions in the database, which has the tables of `trustSchema`. */
export function createTrustStore(db: Database.Database): TrustStore {
  const readVersion = db.prepare<[], number>('SELECT value FROM trust_version').pluck();
  const bump = db.prepare('UPDATE trust_version SET value = value + 1');
  const readServer = db.prepare('SELECT switch, hold, instructions FROM trusted_servers WHERE name = ?');
  const readTools = db.prepare(
    'SELECT key, hash, definition, fresh, declined, switch, hold FROM trusted_tools WHERE server = ?',
  );
  const addServer = db.prepare('INSERT INTO trusted_servers(name) VALUES (?) ON CONFLICT DO NOTHING');
  const setServer = db.prepare('UPDATE trusted_servers SET switch = ?, hold = ?, instructions = ? WHERE name = ?');
  const setTool = db.prepare(
    `INSERT INTO trusted_tools(server, key, hash, definition, fresh, declined, switch, hold) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET hash = excluded.hash, definition = excluded.definition, fresh = excluded.fresh,
       declined = excluded.declined, switch = excluded.switch, hold = excluded.hold`,
  );
  const remove = db.prepare('DELETE FROM trusted_servers WHERE name = ?');
  const parking = createParking(db);
  const setUsed = db.prepare('UPDATE trusted_servers SET used_at = ? WHERE name = ?');
  const readRecent = db
    .prepare<[], string>('SELECT name FROM trusted_servers WHERE used_at > 0 ORDER BY used_at DESC')
    .pluck();

  function server(name: string): ServerRecord | undefined {
    const row: unknown = readServer.get(name);
    if (row === undefined) return undefined;
    const found = serverRow.parse(row);
    return { switch: found.switch, hold: asBoolean(found.hold), instructions: asBoolean(found.instructions) };
  }

  const save: TrustStore['save'] = (name, change, decision) => {
    addServer.run(name);
    if (change.server) {
      const record = { ...NOTHING, ...server(name), ...change.server };
      setServer.run(record.switch, asNumber(record.hold), asNumber(record.instructions), name);
    }
    for (const [key, tool] of change.tools ?? []) {
      const { hash, definition, declined } = tool;
      setTool.run(name, key, hash, definition, asNumber(tool.fresh), declined, tool.switch, asNumber(tool.hold));
    }
    if (decision) bump.run();
  };
  const saveAll = db.transaction(save);

  return {
    get version() {
      return readVersion.get() ?? 0;
    },
    server,
    tools: (name) =>
      new Map(
        readTools.all(name).map((row) => {
          const { key, definition, fresh, hold, ...rest } = toolRow.parse(row);
          return [key, { ...rest, definition: definition ?? '', fresh: fresh === 1, hold: asBoolean(hold) }];
        }),
      ),
    save: (...change) => saveAll.immediate(...change),
    enter(name, runs) {
      if (parking.enter(name, runs)) bump.run();
    },
    follow: parking.follow,
    forget(name) {
      parking.forget(name);
      if (remove.run(name).changes > 0) bump.run();
    },
    used: (name, at) => void setUsed.run(at, name),
    recent: () => readRecent.all(),
  };
}

function asBoolean(value: number | null): boolean | null {
  return value === null ? null : value !== 0;
}

function asNumber(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}
