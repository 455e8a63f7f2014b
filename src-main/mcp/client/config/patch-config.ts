import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  type JSONPath,
  type Node,
} from 'jsonc-parser';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type ConfigInput, type ServerConfig } from '../../../../src-shared/index.ts';
import { INPUTS, ROOT } from './parse-config.ts';

/** The text with a server more; layout and comments of the rest stay. */
export function withServer(text: string, name: string, config: ServerConfig): string {
  return edit(text, [ROOT, name], withoutDefaults(config));
}

/** The text without a server, however often it stands there. */
export function withoutServer(text: string, name: string): string {
  let next = text;
  for (let node = serverNode(next, name); node; node = serverNode(next, name)) {
    next = edit(next, [ROOT, name], undefined);
  }
  return next;
}

/** The text with the entry of a server as `config`: what is the same in both is not touched. */
export function withChangedServer(text: string, name: string, config: ServerConfig): string {
  const node = serverNode(text, name);
  const former: unknown = node && getNodeValue(node);
  return patchObject(text, [ROOT, name], isJsonObject(former) ? former : {}, withoutDefaults(config));
}

function patchObject(
  text: string,
  at: JSONPath,
  former: Record<string, unknown>,
  wanted: Record<string, unknown>,
): string {
  let next = text;
  for (const key of new Set([...Object.keys(former), ...Object.keys(wanted)])) {
    const [was, is] = [former[key], wanted[key]];
    if (isDeepStrictEqual(was, is)) continue;
    // A comment on a variable stays when another variable changes.
    next =
      isJsonObject(was) && isJsonObject(is) ? patchObject(next, [...at, key], was, is) : edit(next, [...at, key], is);
  }
  return next;
}

/** The text with a server under another name, at its place and as it was written. */
export function withRenamedServer(text: string, from: string, to: string): string {
  const key = serverNode(text, from)?.parent?.children?.[0];
  if (!key) return text;
  return text.slice(0, key.offset) + JSON.stringify(to) + text.slice(key.offset + key.length);
}

/** The text with what `${input:x}` asks for; one that is there already stays as it is. */
export function withInputs(text: string, inputs: readonly ConfigInput[]): string {
  let next = text;
  for (const input of inputs) {
    const tree = parseTree(next, [], { allowTrailingComma: true });
    const list = tree && findNodeAtLocation(tree, [INPUTS]);
    const known: unknown = list && getNodeValue(list);
    if (!Array.isArray(known)) {
      next = edit(next, [INPUTS], [input]);
    } else if (!known.some((item) => isJsonObject(item) && item['id'] === input.id)) {
      next = edit(next, [INPUTS, known.length], input);
    }
  }
  return next;
}

/** True when a name stands in the file more than once: what is changed would then not be what counts. */
export function standsTwice(text: string, name: string): boolean {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const servers = tree && findNodeAtLocation(tree, [ROOT]);
  return (servers?.children ?? []).filter((property) => property.children?.[0]?.value === name).length > 1;
}

function serverNode(text: string, name: string): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  return tree && findNodeAtLocation(tree, [ROOT, name]);
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
