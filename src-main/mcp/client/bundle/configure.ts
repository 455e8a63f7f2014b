import path from 'node:path';
import {
  CausewayError,
  stdioServer,
  type BundleField,
  type BundleValues,
  type ConfigInput,
  type StdioServerConfig,
} from '../../../../src-shared/index.ts';
import type { Manifest } from './manifest.ts';

/** Where a bundle finds things. */
export interface BundlePlaces {
  /** The folder that it is unpacked in. */
  folder: string;
  /** The person's home folder. */
  home: string;
  /** A Node program. */
  nodePath: string;
  platform: NodeJS.Platform;
}

/** Variables of manifests that are known before the person is asked for anything. */
export function resolvePlaces(text: string, { folder, home, platform }: BundlePlaces): string {
  const separator = platform === 'win32' ? '\\' : '/';
  const known: Record<string, string> = {
    __dirname: folder,
    HOME: home,
    DESKTOP: path.join(home, 'Desktop'),
    DOCUMENTS: path.join(home, 'Documents'),
    DOWNLOADS: path.join(home, 'Downloads'),
    pathSeparator: separator,
    '/': separator,
  };
  return text.replace(/\$\{(\w+|\/)\}/g, (whole, name: string) => known[name] ?? whole);
}

/** What the bundle runs, its places filled in, with `${user_config.x}` still standing. */
export function launchOf(manifest: Manifest, places: BundlePlaces): StdioServerConfig {
  const { type, entry_point, mcp_config } = manifest.server;
  const given = mcp_config ?? { command: 'uv', args: ['run', '--directory', '${__dirname}', entry_point], env: {} };
  const own = mcp_config?.platform_overrides?.[places.platform];
  const resolve = (text: string): string => resolvePlaces(text, places);
  const command = resolve(own?.command ?? given.command);
  const env = { ...given.env, ...own?.env };
  return stdioServer.parse({
    command: type === 'node' && command === 'node' ? places.nodePath : inFolder(command, places.folder),
    args: (own?.args?.length ? own.args : given.args).map(resolve),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, resolve(value)])),
    // Relative paths in a manifest are those of the bundle.
    cwd: places.folder,
  });
}

function inFolder(command: string, folder: string): string {
  return /[\\/]/.test(command) && !path.isAbsolute(command) ? path.join(folder, command) : command;
}

/** The config of a bundle's server, and the secrets that belong to it, under the ids of their inputs. */
export interface Configured {
  config: StdioServerConfig;
  inputs: ConfigInput[];
  secrets: Record<string, string>;
}

/**
 * Puts what the person gave into what is run. Sensitive values become `${input:...}`; what was not given and has no default is
 * left out, with the argument or variable that names it.
 * @throws CausewayError `bad_input` naming a field that is missing or not right.
 */
export function configure(
  launch: StdioServerConfig,
  fields: readonly BundleField[],
  values: BundleValues,
  name: string,
): Configured {
  const inputs: ConfigInput[] = [];
  const secrets: Record<string, string> = {};
  const texts = new Map<string, string[]>();
  for (const field of fields) {
    const given = textsOf(field, values[field.key] ?? field.default);
    const [secret] = given;
    if (field.sensitive && secret !== undefined) {
      const id = `bundle.${name}.${field.key}`.replaceAll('}', '_');
      inputs.push({ type: 'promptString', id, description: field.title, password: true });
      secrets[id] = secret;
      texts.set(field.key, [`\${input:${id}}`]);
    } else if (given.length > 0) texts.set(field.key, given);
  }
  const fill = (text: string): string[] => fillIn(text, texts);
  const env = Object.entries(launch.env).flatMap(([variable, value]) =>
    fill(value)
      .slice(0, 1)
      .map((text) => [variable, text]),
  );
  return {
    config: { ...launch, args: launch.args.flatMap(fill), env: Object.fromEntries(env) as Record<string, string> },
    inputs,
    secrets,
  };
}

/** One text becomes several where it is a field of several values, and none where it names what was not given. */
function fillIn(text: string, texts: ReadonlyMap<string, string[]>): string[] {
  const whole = /^\$\{user_config\.([\w.-]+)\}$/.exec(text);
  if (whole) return texts.get(whole[1] ?? '') ?? [];
  let missing = false;
  const filled = text.replace(/\$\{user_config\.([\w.-]+)\}/g, (_whole, key: string) => {
    const known = texts.get(key);
    missing ||= known === undefined;
    return known?.join(',') ?? '';
  });
  return missing ? [] : [filled];
}

function textsOf(field: BundleField, value: BundleValues[string] | undefined): string[] {
  const given = (Array.isArray(value) ? value : value === undefined ? [] : [String(value)]).filter(
    (text) => text !== '',
  );
  if (field.required && given.length === 0) throw wrong(field, 'is needed');
  if (!field.multiple && given.length > 1) throw wrong(field, 'takes one value');
  if (field.type === 'number') {
    for (const text of given) {
      const number = Number(text);
      if (Number.isNaN(number)) throw wrong(field, 'must be a number');
      if (field.min !== undefined && number < field.min) throw wrong(field, `must be at least ${field.min}`);
      if (field.max !== undefined && number > field.max) throw wrong(field, `must be at most ${field.max}`);
    }
  }
  return given;
}

function wrong({ title }: BundleField, what: string): CausewayError {
  return new CausewayError('bad_input', `"${title}" ${what}.`);
}
