import {
  isJsonObject,
  serverConfig,
  type JsonObject,
  type JsonValue,
  type ServerConfig,
} from '../../../../src-shared/index.ts';

/** What became of one entry of somebody's settings: a server, or why it is none. */
export type ReadEntry = { config: ServerConfig; notes: string[] } | { problem: string };

/** Keys that are understood, in any program's spelling; others are said and left out, most of all those that grant trust. */
const KNOWN = new Set(
  (
    'type transport command cmd args env environment envs env_keys env_vars cwd working_directory url httpUrl serverUrl uri ' +
    'headers http_headers env_http_headers bearer_token_env_var disabled enabled sandbox sandboxEnabled name description title icon'
  ).split(' '),
);
const LONGEST = 100_000;

/**
 * A server from an entry as READMEs and other programs write it: `command` as a text or a list, `env`, `environment` or `envs`,
 * `url`, `httpUrl`, `serverUrl` or `uri`, and their ways to name environment variables. Only what is understood is taken.
 */
export function readEntry(entry: JsonObject): ReadEntry {
  if (JSON.stringify(entry).length > LONGEST) return { problem: 'It is too long to be a server.' };
  const notes: string[] = [];
  const command = entry['command'] ?? entry['cmd'];
  const url = entry['httpUrl'] ?? entry['serverUrl'] ?? entry['url'] ?? entry['uri'];
  let wanted: Record<string, unknown>;
  if (command !== undefined) wanted = readProgram(entry, command, notes);
  else if (typeof url === 'string') wanted = readAddress(entry, url, notes);
  else return { problem: explainMissing(entry) };
  if (entry['disabled'] === true || entry['enabled'] === false) wanted['disabled'] = true;
  // These only take away.
  if (isJsonObject(entry['sandbox'])) wanted['sandbox'] = entry['sandbox'];
  if (entry['sandboxEnabled'] === true) wanted['sandboxEnabled'] = true;
  const parsed = serverConfig.safeParse(wanted);
  if (!parsed.success) return { problem: explainWrong(wanted) };
  const left = Object.keys(entry).filter((key) => !KNOWN.has(key));
  if (left.length > 0) notes.push(`Not taken over: ${left.join(', ')}.`);
  notes.push(...describeBlanks(parsed.data), ...describeUnknown(parsed.data));
  return { config: parsed.data, notes };
}

function readProgram(entry: JsonObject, command: JsonValue, notes: string[]): Record<string, unknown> {
  const given = Array.isArray(command) ? command : [command];
  const [program, ...more] = given.map(readText);
  const args = Array.isArray(entry['args']) ? entry['args'].map(readText) : [];
  const cwd = entry['cwd'] ?? entry['working_directory'];
  return {
    command: program,
    args: [...more, ...args],
    env: readVariables(entry, notes),
    ...(typeof cwd === 'string' && cwd !== '' && { cwd: readText(cwd) }),
  };
}

function readVariables(entry: JsonObject, notes: string[]): Record<string, unknown> {
  const env = readTexts(entry['env'] ?? entry['environment'] ?? entry['envs']);
  for (const name of textsOf(entry['env_vars'])) env[name] ??= `\${env:${name}}`;
  const hidden = textsOf(entry['env_keys']).filter((name) => env[name] === undefined);
  for (const name of hidden) env[name] = '';
  if (hidden.length > 0) notes.push(`The other program keeps these to itself: ${hidden.join(', ')}.`);
  return env;
}

function readAddress(entry: JsonObject, url: string, notes: string[]): Record<string, unknown> {
  const headers = readTexts(entry['headers'] ?? entry['http_headers']);
  for (const [name, variable] of Object.entries(readTexts(entry['env_http_headers']))) {
    headers[name] = `\${env:${String(variable)}}`;
  }
  const bearer = entry['bearer_token_env_var'];
  if (typeof bearer === 'string') headers['Authorization'] ??= `Bearer \${env:${bearer}}`;
  const variables = textsOf(entry['env_keys']);
  if (variables.length > 0) notes.push(`The other program keeps these to itself: ${variables.join(', ')}.`);
  const type = String(entry['type'] ?? entry['transport'] ?? '').toLowerCase();
  // Gemini CLI calls an address "url" when it speaks SSE, but so do most others when it does not: it is found by trying.
  return { url: readText(url), headers, ...(type === 'sse' && { type: 'sse' }) };
}

function readTexts(value: JsonValue | undefined): Record<string, unknown> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, readText(text)]));
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Ways to name an environment variable or the home folder, as ours; numbers and flags as texts. */
function readText(value: JsonValue): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return value;
  return value
    .replace(/(?<!\$)\{env:([A-Za-z_]\w*)\}/g, '${env:$1}')
    .replace(/\$\{([A-Z_][A-Z0-9_]*)\}/g, '${env:$1}')
    .replace(/\$\{([A-Z_][A-Z0-9_]*):-([^}]*)\}/g, (_whole, name: string, other: string) =>
      process.env[name] === undefined ? other : `\${env:${name}}`,
    )
    .replace(/^\$([A-Z_][A-Z0-9_]*)$/, '${env:$1}')
    .replace(/^Bearer \$([A-Z_][A-Z0-9_]*)$/, 'Bearer ${env:$1}');
}

/** Values that only stand for what a person has to enter. */
function describeBlanks(config: ServerConfig): string[] {
  const values: Record<string, unknown> = {
    ...(isRecord(config['env']) ? config['env'] : {}),
    ...(isRecord(config['headers']) ? config['headers'] : {}),
  };
  const blanks = Object.entries(values).filter(([, value]) => typeof value === 'string' && isBlank(value));
  return blanks.length === 0 ? [] : [`Still to be filled in: ${blanks.map(([name]) => name).join(', ')}.`];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isBlank(value: string): boolean {
  const bare = value.replace(/^(Bearer|Basic)\s+/i, '').trim();
  return (
    bare === '' ||
    /^<.*>$|^\[.*\]$|^\{[^}]*\}$|^(x{3,}|\.{3}|…)$/i.test(bare) ||
    /^(your|my|insert|enter|replace|add|paste|put)[\s_-].*/i.test(bare) ||
    /[_-](here|goes[_-]here)$/i.test(bare)
  );
}

/** Variables of other programs that mean nothing here. */
function describeUnknown(config: ServerConfig): string[] {
  const found = JSON.stringify(config).match(
    /\$\{(?!env:|input:|workspaceFolder\}|userHome\})[^}"]+\}|(?<!\$)\{file:[^}"]+\}/g,
  );
  return found ? [`Not understood, and left as it is: ${[...new Set(found)].join(', ')}.`] : [];
}

function explainMissing(entry: JsonObject): string {
  const type = entry['type'];
  return type === 'builtin' || type === 'platform'
    ? 'It is a part of the other program, not a server.'
    : 'It has neither a command nor an address.';
}

function explainWrong(wanted: Record<string, unknown>): string {
  if (wanted['url'] !== undefined) return 'Its address is not an http or https address, or its headers are not texts.';
  return 'Its command, arguments and environment variables must be texts.';
}
