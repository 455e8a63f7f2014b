import path from 'node:path';
import type { AttachedServer } from '../attached-server.ts';
import { createBrokenServer } from '../broken-server.ts';
import { compareEntries } from './compare-entries.ts';
import type { ConfigFile } from './config-file.ts';
import type { ConfigEntry } from './parse-config.ts';
import { watchConfig } from './watch-config.ts';

export interface FollowParts {
  configFile: ConfigFile;
  /** Servers that are there without standing in the file; an entry of the same name in the file counts instead. */
  builtIn: readonly ConfigEntry[];
  servers: Map<string, AttachedServer>;
  /** True for a server that has nothing to do with the file. */
  isEphemeral(name: string): boolean;
  make(entry: ConfigEntry): AttachedServer;
  launch(server: AttachedServer): Promise<void>;
  changed(): void;
}

/** Keeps the attached servers as the config file has them. */
export interface FollowedConfig extends Disposable {
  /** The entries as they stand now, those that come with Causeway among them. */
  entries(): ConfigEntry[];
  /** Makes every server of the file; starts none. */
  load(): void;
  /** From now on changed entries are started, and edits by hand are noticed. */
  start(): void;
  /** Ends and makes what is not as the file has it, without waiting until it is ready; a broken file changes nothing. */
  apply(): Promise<void>;
}

export function followConfig(parts: FollowParts): FollowedConfig {
  const { configFile, builtIn, servers } = parts;
  /** As which a file that can not be read stands among the servers. */
  const fileName = path.basename(configFile.path);
  let started = false;
  let watching: Disposable | undefined;

  function withBuiltIn(entries: readonly ConfigEntry[]): ConfigEntry[] {
    const named = new Set(entries.map(({ name }) => name));
    return [...builtIn.filter(({ name }) => !named.has(name)), ...entries];
  }

  function showProblem(problem: string, consequence: string): void {
    servers.set(fileName, createBrokenServer(fileName, `${problem} ${consequence}`, configFile.path));
  }

  async function apply(): Promise<void> {
    const { entries, problem } = configFile.read();
    if (problem !== undefined) {
      showProblem(problem, 'It was not changed; servers go on as they were.');
      parts.changed();
      return;
    }
    const known = [...servers.values()].filter(({ name }) => !parts.isEphemeral(name));
    const { ended, fresh } = compareEntries(known, withBuiltIn(entries));
    for (const { name } of ended) servers.delete(name);
    const made = fresh.map((entry) => parts.make(entry));
    for (const server of made) servers.set(server.name, server);
    parts.changed();
    // What ends lets go of its port and files before another one wants them.
    await Promise.all(ended.map((server) => server.stop()));
    if (!started) return;
    for (const server of made) if (isOn(server)) void parts.launch(server);
  }

  return {
    entries: () => withBuiltIn(configFile.read().entries),
    load() {
      const { entries, problem } = configFile.read();
      if (problem !== undefined) showProblem(problem, 'No server of it was started, and it was not changed.');
      for (const entry of withBuiltIn(entries)) servers.set(entry.name, parts.make(entry));
    },
    start() {
      started = true;
      watching ??= watchConfig(configFile.path, () => void apply());
      for (const server of servers.values()) if (isOn(server)) void parts.launch(server);
    },
    apply,
    [Symbol.dispose]: () => watching?.[Symbol.dispose](),
  };
}

function isOn({ config }: AttachedServer): boolean {
  return config !== undefined && !config.disabled;
}
