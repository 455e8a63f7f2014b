import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { CausewayError, describeError, type ConfigInput, type ServerConfig } from '../../../../src-shared/index.ts';
import { withFileLockSync, writeFileAtomic } from '../../../platform/index.ts';
import { keepBackup } from './backups.ts';
import { parseConfig, ROOT, type ConfigContent } from './parse-config.ts';
import {
  standsTwice,
  withChangedServer,
  withInputs,
  withoutServer,
  withRenamedServer,
  withServer,
} from './patch-config.ts';

const EMPTY = `{\n  "${ROOT}": {}\n}\n`;
/** How long one Causeway waits for another's change, in milliseconds. */
const LOCK_MS = 5_000;
/** Editors do not know our lock: what was saved while a change was worked out is read again, this often. */
const ATTEMPTS = 5;

/** A server that goes into the config file. */
export interface NamedConfig {
  name: string;
  config: ServerConfig;
}

/** The `mcpServers` file. Comments and layout that a person put there stay; all changes throw a CausewayError. */
export interface ConfigFile {
  readonly path: string;
  /** A missing file is an empty config. Never throws. */
  read(): ConfigContent;
  /** All or none. @throws `bad_input` when the file is broken, `conflict` when a name is taken, `io`. */
  addAll(servers: readonly NamedConfig[], inputs?: readonly ConfigInput[]): void;
  add(name: string, config: ServerConfig): void;
  /** @throws `bad_input` when the file is broken, `io`. */
  remove(name: string): void;
  /** Changes what differs in an entry. @throws also `not_found`, and `conflict` when its name stands twice. */
  update(name: string, config: ServerConfig): void;
  /** @throws also `not_found`, and `conflict` when the new name is taken. */
  rename(from: string, to: string): void;
}

/** @param file need not exist. */
export function openConfigFile(file: string): ConfigFile {
  function patch(change: (text: string, names: ReadonlySet<string>) => string): void {
    try {
      withFileLockSync(`${file}.lock`, LOCK_MS, () => patchAlone(change));
    } catch (cause) {
      if (cause instanceof CausewayError) throw cause;
      throw new CausewayError('io', `The config file ${file} could not be written (${describeError(cause)}).`, {
        cause,
      });
    }
  }

  function patchAlone(change: (text: string, names: ReadonlySet<string>) => string): void {
    for (let attempt = 1; ; attempt += 1) {
      const former = readText(file);
      const { entries, problem } = parseConfig(former ?? '', file);
      if (problem !== undefined)
        throw new CausewayError('bad_input', problem, { hint: 'Mend the file first; it was not changed.' });
      const text = former?.trim() ? former : EMPTY;
      const next = change(text, new Set(entries.map(({ name }) => name)));
      if (next === former) return;
      if (readText(file) !== former && attempt < ATTEMPTS) continue;
      if (former !== undefined) keepBackup(file, former);
      writeFileAtomic(resolveLinks(file), next);
      return;
    }
  }

  /** Changes one entry that must be there once. */
  function patchOne(name: string, change: (text: string, names: ReadonlySet<string>) => string): void {
    patch((text, names) => {
      if (!names.has(name)) {
        throw new CausewayError('not_found', `There is no server named "${name}" in ${file}.`);
      }
      if (standsTwice(text, name)) {
        throw new CausewayError('conflict', `The name "${name}" stands twice in ${file}.`, {
          hint: 'Remove one of the two entries by hand first.',
        });
      }
      return change(text, names);
    });
  }

  function refuseTaken(name: string, names: ReadonlySet<string>): void {
    if (!names.has(name)) return;
    throw new CausewayError('conflict', `There already is a server named "${name}" in ${file}.`, {
      hint: 'Choose another name, or remove that one first.',
    });
  }

  const addAll: ConfigFile['addAll'] = (servers, inputs = []) => {
    patch((text, names) => {
      const taken = new Set(names);
      let next = withInputs(text, inputs);
      for (const { name, config } of servers) {
        refuseTaken(name, taken);
        taken.add(name);
        next = withServer(next, name, config);
      }
      return next;
    });
  };

  return {
    path: file,
    read() {
      try {
        return parseConfig(readText(file) ?? '', file);
      } catch (error) {
        return { entries: [], inputs: [], problem: error instanceof Error ? error.message : String(error) };
      }
    },
    addAll,
    add: (name, config) => addAll([{ name, config }]),
    remove: (name) => patch((text) => withoutServer(text, name)),
    update: (name, config) => patchOne(name, (text) => withChangedServer(text, name, config)),
    rename: (from, to) =>
      patchOne(from, (text, names) => {
        if (from !== to) refuseTaken(to, names);
        return withRenamedServer(text, from, to);
      }),
  };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw new CausewayError('io', `The config file ${file} could not be read (${describeError(cause)}).`, {
      hint: 'Check its permissions, or move it away.',
      cause,
    });
  }
}

/** A config that is a link into somebody's dotfiles stays one. */
function resolveLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return path.resolve(file);
  }
}
