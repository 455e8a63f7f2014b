import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import {
  configInput,
  httpServer,
  stdioServer,
  type ConfigInput,
  type ServerConfig,
} from '../../../../src-shared/index.ts';

/** The key under which servers stand. */
export const ROOT = 'mcpServers';
/** The key under which VS Code keeps what `${input:x}` asks for. */
export const INPUTS = 'inputs';
const LONGEST_NAME = 200;

/** One server of the config file; `problem` says why its entry can not be used. */
export type ConfigEntry = { name: string; config: ServerConfig; note?: string } | { name: string; problem: string };

export interface ConfigContent {
  entries: ConfigEntry[];
  /** What `${input:x}` asks for. */
  inputs: ConfigInput[];
  /** Why nothing in the file can be used, with line and column. */
  problem?: string;
}

/** Every server in the text of a config file; one bad entry leaves the others as they are. */
export function parseConfig(text: string, file: string): ConfigContent {
  if (text.trim() === '') return { entries: [], inputs: [] };
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  if (first || !tree) {
    const what = first ? readableCode(printParseErrorCode(first.error)) : 'nothing there';
    return broken(`${file} is not valid JSON at ${position(text, first?.offset ?? 0)}: ${what}.`);
  }
  const servers = findNodeAtLocation(tree, [ROOT]);
  if (tree.type !== 'object' || (servers && servers.type !== 'object')) {
    const place = position(text, (servers ?? tree).offset);
    return broken(`"${ROOT}" in ${file} must hold an object with one entry a server (${place}).`);
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
  return { entries: [...byName.values()], inputs: readInputs(findNodeAtLocation(tree, [INPUTS])) };
}

function broken(problem: string): ConfigContent {
  return { entries: [], inputs: [], problem };
}

/** Inputs that can not be understood are left out: a server that names one says so when it starts. */
function readInputs(node: Node | undefined): ConfigInput[] {
  const value: unknown = node && getNodeValue(node);
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const parsed = configInput.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
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
