import { readFile, stat } from 'node:fs/promises';
import { parse as parseJson, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { describeError, isJsonObject, type ConfigInput, type JsonObject } from '../../../../src-shared/index.ts';
import { readValue, type NamedEntry } from '../adding/read-json.ts';
import type { Format, Place } from './places.ts';

/** Settings files are small; what is larger is something else. In bytes. */
const LARGEST = 20_000_000;

/** What stands in a settings file of another program. */
export interface ReadPlace {
  place: Place;
  entries: NamedEntry[];
  inputs: ConfigInput[];
  problem?: string;
}

/** Reads, and never writes. Undefined when there is no such file, or no server in it. */
export async function readPlace(place: Place): Promise<ReadPlace | undefined> {
  let text: string;
  try {
    const { size } = await stat(place.file);
    if (size > LARGEST) return { place, entries: [], inputs: [], problem: 'The file is too large.' };
    text = (await readFile(place.file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    return { place, entries: [], inputs: [], problem: `The file can not be read: ${describeError(error)}` };
  }
  try {
    const value = text.trim() === '' ? {} : parse(text, place.format);
    const { entries, inputs } = readAll(value);
    if (entries.length === 0) return undefined;
    return { place, entries: entries.map((entry) => inFolder(entry, place.folder)), inputs };
  } catch (error) {
    return { place, entries: [], inputs: [], problem: `The file is broken: ${describeError(error).split('\n')[0]}` };
  }
}

function parse(text: string, format: Format): unknown {
  if (format === 'toml') return parseToml(text);
  if (format === 'yaml') return parseYaml(text);
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new Error(`${printParseErrorCode(first.error)} at line ${line}`);
  }
  return value;
}

/** Claude Code keeps those of a folder under `projects`, beside those that are for all. */
function readAll(value: unknown): { entries: NamedEntry[]; inputs: ConfigInput[] } {
  const top = hasServers(value) ? readValue(value) : { entries: [], inputs: [] };
  const projects = isJsonObject(value) && isJsonObject(value['projects']) ? Object.entries(value['projects']) : [];
  const ofProjects = projects.flatMap(([folder, project]) =>
    hasServers(project) ? readValue(project).entries.map((entry) => inFolder(entry, folder)) : [],
  );
  return { entries: [...top.entries, ...ofProjects], inputs: top.inputs };
}

/** Settings hold much else, which must not be taken for servers. */
function hasServers(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const maps = [value['mcpServers'], value['servers'], value['mcp_servers'], value['mcp'], value['extensions']];
  return maps.some((map) => isJsonObject(map) && Object.values(map).some(isJsonObject));
}

/** A server that was meant for a folder starts in it. */
function inFolder(entry: NamedEntry, folder: string | undefined): NamedEntry {
  if (folder === undefined || 'problem' in entry || entry.config['command'] === undefined) return entry;
  const { cwd } = entry.config;
  return {
    ...entry,
    config: { ...entry.config, cwd: typeof cwd === 'string' ? cwd : folder },
    notes: [...entry.notes, `It belongs to the folder ${folder}.`],
  };
}
