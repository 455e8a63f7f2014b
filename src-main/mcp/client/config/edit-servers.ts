import {
  CausewayError,
  KEPT_SECRET,
  serverConfig,
  type ServerConfig,
  type ServerView,
} from '../../../../src-shared/index.ts';
import type { Servers } from '../contract.ts';
import { isSecret } from '../secrets.ts';
import { isStdio } from '../target.ts';
import type { ConfigFile } from './config-file.ts';
import type { ConfigEntry } from './parse-config.ts';

export interface EditParts {
  configFile: ConfigFile;
  builtIn: readonly ConfigEntry[];
  /** Makes the attached servers what the file says. */
  apply(): Promise<void>;
  /** @throws CausewayError when the name is taken or the config is none. */
  check(name: string, config: ServerConfig): ServerConfig;
  viewOf(name: string): ServerView;
  isEphemeral(name: string): boolean;
  /** The entry of a server is about to become this one; it stays the same server. */
  changing(name: string, config: ServerConfig): void;
}

/** What a person can do to the entries of the config file from a page or a terminal. */
export function editServers(parts: EditParts): Pick<Servers, 'addAll' | 'configOf' | 'update' | 'rename' | 'enable'> {
  const { configFile } = parts;

  /** An entry by its name, and whether it stands in the file. */
  function entryOf(name: string): { config: ServerConfig; inFile: boolean } {
    parts.viewOf(name);
    if (parts.isEphemeral(name)) {
      throw new CausewayError('bad_input', `"${name}" is attached for this time only and is in no config file.`);
    }
    const { entries, problem } = configFile.read();
    if (problem !== undefined) throw new CausewayError('bad_input', problem, { hint: 'Mend the file first.' });
    const inFile = entries.find((entry) => entry.name === name);
    const entry = inFile ?? parts.builtIn.find((item) => item.name === name);
    if (!entry) throw new CausewayError('not_found', `There is no server named "${name}" in ${configFile.path}.`);
    if ('problem' in entry) throw new CausewayError('bad_input', entry.problem);
    return { config: entry.config, inFile: inFile !== undefined };
  }

  async function applied(name: string): Promise<ServerView> {
    await parts.apply();
    return parts.viewOf(name);
  }

  return {
    async addAll(servers, inputs) {
      const checked = servers.map(({ name, config }) => ({ name, config: parts.check(name, config) }));
      const text = JSON.stringify(checked);
      configFile.addAll(
        checked,
        inputs?.filter(({ id }) => text.includes(`\${input:${id}}`)),
      );
      await parts.apply();
      return checked.map(({ name }) => parts.viewOf(name));
    },
    configOf: (name) => withoutSecrets(entryOf(name).config),
    async update(name, config) {
      const former = entryOf(name);
      const parsed = serverConfig.safeParse(withSecrets(config, former.config));
      if (!parsed.success) {
        throw new CausewayError('bad_input', 'A server needs a command to run, or an http or https URL.', {
          cause: parsed.error,
        });
      }
      parts.changing(name, parsed.data);
      if (former.inFile) configFile.update(name, parsed.data);
      else configFile.add(name, parsed.data);
      return applied(name);
    },
    async rename(name, to) {
      if (!entryOf(name).inFile)
        throw new CausewayError('bad_input', `"${name}" comes with Causeway and keeps its name.`);
      if (to.trim() === '') throw new CausewayError('bad_input', 'A server needs a name.');
      configFile.rename(name, to.trim());
      return applied(to.trim());
    },
    async enable(name, on) {
      const { config, inFile } = entryOf(name);
      const own = parts.builtIn.find((entry) => entry.name === name);
      if (!inFile) {
        if (!on) configFile.add(name, { ...config, env: {}, disabled: true });
      } else if (on && own && 'config' in own && runsTheSame(own.config, config)) {
        // It is the one that comes with Causeway again, also when that becomes another one.
        configFile.remove(name);
      } else {
        configFile.update(name, { ...config, disabled: !on });
      }
      return applied(name);
    },
  };
}

function runsTheSame(one: ServerConfig, other: ServerConfig): boolean {
  return (
    isStdio(one) && isStdio(other) && one.command === other.command && one.args.join('\n') === other.args.join('\n')
  );
}

function withoutSecrets(config: ServerConfig): ServerConfig {
  return mapValues(config, (value, name) => (isSecret(name, value) ? KEPT_SECRET : value));
}

/** Puts the secrets back that the window was not given. */
function withSecrets(config: ServerConfig, former: ServerConfig): ServerConfig {
  const known = { ...(isStdio(former) ? former.env : former.headers) };
  return mapValues(config, (value, name) => (value === KEPT_SECRET ? (known[name] ?? '') : value));
}

function mapValues(config: ServerConfig, change: (value: string, name: string) => string): ServerConfig {
  const mapped = (values: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
  return isStdio(config) ? { ...config, env: mapped(config.env) } : { ...config, headers: mapped(config.headers) };
}
