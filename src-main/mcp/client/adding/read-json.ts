import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { configInput, isJsonObject, type ConfigInput, type JsonObject } from '../../../../src-shared/index.ts';
import { readEntry, type ReadEntry } from './read-entry.ts';
import { nameFor } from './server-name.ts';

/** A server that was understood, or an entry that was not. */
export type NamedEntry = { name: string } & ReadEntry;

export interface Understood {
  entries: NamedEntry[];
  inputs: ConfigInput[];
  problem?: string;
}

/** Keys under which programs keep their servers. */
const MAP_KEYS = ['mcpServers', 'servers', 'mcp_servers', 'context_servers', 'mcp', 'extensions'];
/** Keys around them: VS Code's settings, and people who paste more than the servers. */
const OUTER_KEYS = ['mcp', 'settings', 'customizations', 'vscode'];
const SERVER_KEYS = ['command', 'cmd', 'url', 'httpUrl', 'serverUrl', 'uri'];

/** Servers from JSON as READMEs and other programs write it, comments and trailing commas included. */
export function readJson(text: string): Understood {
  const errors: ParseError[] = [];
  // Many READMEs show only the middle: `"name": { ... }`.
  const whole = /^\s*"/.test(text) ? `{${text.replace(/,\s*$/, '')}}` : text;
  const value: unknown = parse(whole, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first) {
    const before = whole.slice(0, first.offset).split('\n');
    const what = printParseErrorCode(first.error)
      .replace(/(?<=[a-z])([A-Z])/g, ' $1')
      .toLowerCase();
    return nothing(
      `This is not valid JSON at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}.`,
    );
  }
  return readValue(value);
}

/** Servers from what a settings file holds. */
export function readValue(value: unknown): Understood {
  if (!isJsonObject(value)) return nothing('A map from server names to their commands or addresses is expected.');
  const map = findMap(value);
  if (!map) return nothing('A map from server names to their commands or addresses is expected.');
  const entries = Object.entries(map).map(([name, entry]) => readNamed(name, entry));
  if (entries.length === 0) return nothing('There is no server in it.');
  return { entries, inputs: findInputs(value) };
}

function readNamed(name: string, entry: unknown): NamedEntry {
  if (!isJsonObject(entry)) return { name, problem: 'It must be an object.' };
  // Older goose files keep the entry one level deeper.
  const inner = isJsonObject(entry['config']) && !isServer(entry) ? { ...entry, ...entry['config'] } : entry;
  const { config: _config, ...rest } = inner;
  const read = readEntry(rest);
  return name === '' && 'config' in read ? { name: nameFor(read.config), ...read } : { name, ...read };
}

function findMap(value: JsonObject): JsonObject | undefined {
  if (isServer(value)) return { [typeof value['name'] === 'string' ? value['name'] : '']: value };
  for (const key of MAP_KEYS) {
    const map = value[key];
    if (isJsonObject(map) && !OUTER_KEYS.some((outer) => outer === key && findNested(map))) return map;
  }
  for (const key of OUTER_KEYS) {
    const found = isJsonObject(value[key]) && findNested(value[key]);
    if (found) return found;
  }
  const entries = Object.values(value);
  return entries.length === 0 || entries.some((entry) => isJsonObject(entry) && isServer(entry)) ? value : undefined;
}

function findNested(value: JsonObject): JsonObject | undefined {
  const direct = MAP_KEYS.map((key) => value[key]).find(isJsonObject);
  return (
    direct ?? OUTER_KEYS.flatMap((key) => (isJsonObject(value[key]) ? [findNested(value[key])] : [])).find(Boolean)
  );
}

function isServer(value: JsonObject): boolean {
  return SERVER_KEYS.some((key) => typeof value[key] === 'string' || Array.isArray(value[key]));
}

function findInputs(value: JsonObject): ConfigInput[] {
  const list = value['inputs'] ?? (isJsonObject(value['mcp']) ? value['mcp']['inputs'] : undefined);
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const parsed = configInput.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

function nothing(problem: string): Understood {
  return { entries: [], inputs: [], problem };
}
