import { isDeepStrictEqual } from 'node:util';
import type { AttachedServer } from '../attached-server.ts';
import type { ConfigEntry } from './parse-config.ts';

/** What to do so that the attached servers are those of the config. */
export interface ConfigChanges {
  /** Servers that end. */
  ended: AttachedServer[];
  /** Entries that are new, or not as they were. */
  fresh: ConfigEntry[];
}

/** Servers whose entry is as it was are in neither list: they run on. */
export function compareEntries(running: Iterable<AttachedServer>, entries: readonly ConfigEntry[]): ConfigChanges {
  const wanted = new Map(entries.map((entry) => [entry.name, entry]));
  const ended: AttachedServer[] = [];
  for (const server of running) {
    const entry = wanted.get(server.name);
    if (entry && isSame(server, entry)) wanted.delete(server.name);
    else ended.push(server);
  }
  return { ended, fresh: [...wanted.values()] };
}

function isSame(server: AttachedServer, entry: ConfigEntry): boolean {
  return 'config' in entry && isDeepStrictEqual(server.config, entry.config);
}
