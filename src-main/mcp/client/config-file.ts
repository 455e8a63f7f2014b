import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import { CausewayError, describeError, httpServer, stdioServer, type ServerConfig } from '../../../src-shared/index.ts';
import { writeFileAtomic } from '../../platform/index.ts';

const ROOT = 'mcpServers';
const EMPTY = `{\n  "${ROOT}": {}\n}\n`;
const LONGEST_NAME = 200;

/** One server of the config file; `problem` says why its entry can not be used. */
export type ConfigEntry = { name: string; config: ServerConfig; note?: string } | { name: string; problem: string };

export interface ConfigContent {
  entries: ConfigEntry[];
  /** Why nothing in the file can be used, with line and column. */
  problem?: string;
}

/** The `mcpServers` file. Comments and layout that a person put there stay. */
export interface ConfigFile {
  readonly path: string;
  /** A missing file is an empty config. Never throws. */
  read(): ConfigContent;
  /** @throws CausewayError `bad_input` when the file is broken, `conflict` when the name is taken, `io`. */
  add(name: string, config: ServerConfig): void;
  /** @throws CausewayError `bad_input` when the file is broken, `io`. */
  remove(name: string): void;
}

/** @param file need not exist. */
export function openConfigFile(file: string): ConfigFile {
  function patch(change: (text: string) => string): void {
    const former = readText(file);
    const { problem } = parseConfig(former ?? '', file);
    if (problem !== undefined)
      throw new CausewayError('bad_input', problem, { hint: 'Mend the file first; it was not changed.' });
    const next = change(former?.trim() ? former : EMPTY);
    const real = resolveLinks(file);
    try {
      if (former !== undefined) writeFileAtomic(`${real}.bak`, former);
      writeFileAtomic(real, next);
    } catch (cause) {
      throw new CausewayError('io', `The config file ${file} could not be written.`, { cause });
    }
  }

  return {
    path: file,
    read() {
      try {
        return parseConfig(readText(file) ?? '', file);
      } catch (error) {
        return { entries: [], problem: error instanceof Error ? error.message : String(error) };
      }
    },
    add(name, config) {
      patch((text) => {
        if (parseConfig(text, file).entries.some((entry) => entry.name === name)) {
          throw new CausewayError('conflict', `There already is a server named "${name}" in ${file}.`, {
            hint: 'Choose another name, or remove that one first.',
          });
        }
        return edit(text, [ROOT, name], withoutDefaults(config));
      });
    },
    remove(name) {
      patch((text) => edit(text, [ROOT, name], undefined));
    },
  };
}

/** Every server in the text of a config file; one bad entry leaves the others as they are. */
export function parseConfig(text: string, file: string): ConfigContent {
  if (text.trim() === '') return { entries: [] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first || !tree) {
    const what = first ? readableCode(printParseErrorCode(first.error)) : 'nothing there';
    return { entries: [], problem: `${file} is not valid JSON at ${position(text, first?.offset ?? 0)}: ${what}.` };
  }
  const servers = findNodeAtLocation(tree, [ROOT]);
  if (tree.type !== 'object' || (servers && servers.type !== 'object')) {
    const place = position(text, (servers ?? tree).offset);
    return { entries: [], problem: `"${ROOT}" in ${file} must hold an object with one entry a server (${place}).` };
  }
  const byName = new Map<string, ConfigEntry>();
  for (const property of servers?.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const name = String(getNodeValue(key));
    const entry = readEntry(name, value, { text, file });
    // As everywhere in JSON, the last one of a name counts.
    const twice = byName.has(name)
      ? { note: `Its name stands twice in ${file}; the one at ${position(text, key.offset)} is used.` }
      : {};
    byName.set(name, { ...entry, ...twice });
  }
  return { entries: [...byName.values()] };
}

function readEntry(name: string, node: Node, { text, file }: { text: string; file: string }): ConfigEntry {
  const wrong = (offset: number, what: string): ConfigEntry => ({
    name: name.slice(0, LONGEST_NAME) || '(no name)',
    problem: `Its entry in ${file} is not right at ${position(text, offset)}: ${what}.`,
  });
  if (name === '' || name.length > LONGEST_NAME) {
    return wrong(node.offset, `a name must have 1 to ${LONGEST_NAME} characters`);
  }
  if (node.type !== 'object') return wrong(node.offset, 'it must be an object');
  const value: unknown = getNodeValue(node);
  const parsed = findNodeAtLocation(node, ['command'])
    ? stdioServer.safeParse(value)
    : findNodeAtLocation(node, ['url'])
      ? httpServer.safeParse(value)
      : undefined;
  if (!parsed) return wrong(node.offset, 'it needs a "command" or a "url"');
  if (parsed.success) return { name, config: parsed.data };
  const issue = parsed.error.issues[0];
  const where = issue?.path.filter((step) => typeof step !== 'symbol') ?? [];
  return wrong(
    (deepest(node, where) ?? node).offset,
    `${where.join('.') || 'entry'}: ${lowerFirst(issue?.message ?? '')}`,
  );
}

/** The node at a path, or the nearest one above it that exists. */
function deepest(node: Node, steps: JSONPath): Node | undefined {
  for (let length = steps.length; length > 0; length -= 1) {
    const found = findNodeAtLocation(node, steps.slice(0, length));
    if (found) return found;
  }
  return undefined;
}

function edit(text: string, location: JSONPath, value: unknown): string {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, location, value, { formattingOptions }));
}

/** As a person would write it: what says nothing is left out. */
function withoutDefaults(config: ServerConfig): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).filter(([key, value]) => {
      if (key === 'disabled') return value === true;
      return value !== undefined && !(typeof value === 'object' && value !== null && Object.keys(value).length === 0);
    }),
  );
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

function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `CommaExpected` as "comma expected". */
function readableCode(code: string): string {
  return code.replace(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase();
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
