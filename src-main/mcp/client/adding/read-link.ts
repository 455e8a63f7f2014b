import type { JsonObject } from '../../../../src-shared/index.ts';
import { readEntry } from './read-entry.ts';
import { readJson, type Understood } from './read-json.ts';
import { nameFor } from './server-name.ts';

/**
 * A server from a link that installs one: `causeway://add-server?name=...&config=...` (or `&url=...`), Cursor's and VS Code's,
 * also in the form of a web address that leads to them. Undefined for what is no such link.
 */
export function readLink(text: string): Understood | undefined {
  const link = URL.parse(text);
  if (!link) return undefined;
  const { protocol, searchParams } = link;
  if (/^https?:$/.test(protocol)) return readWebLink(link);
  const place = `${link.host}${link.pathname}`.replace(/^\/+|\/+$/g, '');
  if (protocol === 'causeway:' && place === 'add-server') return readQuery(searchParams);
  if (protocol === 'cursor:' && place.endsWith('mcp/install')) return readQuery(searchParams);
  if (/^vscode(-insiders)?:$/.test(protocol) && place === 'mcp/install') return readJson(decode(link.search.slice(1)));
  if (/^(causeway|cursor|vscode(-insiders)?):$/.test(protocol))
    return nothing('This link is not one that adds a server.');
  return undefined;
}

/** Buttons in READMEs lead over a web page to the editor. */
function readWebLink({ hostname, pathname, searchParams }: URL): Understood | undefined {
  if (/(^|\.)cursor\.(com|sh)$/.test(hostname) && /install-mcp$/.test(pathname)) return readQuery(searchParams);
  const isVsCode = /(^|\.)vscode\.dev$/.test(hostname) && pathname.startsWith('/redirect');
  if (!isVsCode) return undefined;
  const url = searchParams.get('url');
  if (url) return readLink(url);
  return undefined;
}

function readQuery(query: URLSearchParams): Understood {
  const name = query.get('name') ?? '';
  const url = query.get('url');
  if (url !== null) return one(name, { url });
  const config = query.get('config');
  if (config === null) return nothing('The link says neither "config" nor "url".');
  const read = readJson(decodeConfig(config));
  const [entry] = read.entries;
  if (!entry || read.entries.length > 1 || name === '') return read;
  return { ...read, entries: [{ ...entry, name }] };
}

/** JSON as it is, or in base64, where a `+` may have become a space on the way. */
function decodeConfig(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  return Buffer.from(text.replaceAll(' ', '+'), 'base64').toString('utf8');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function one(name: string, entry: JsonObject): Understood {
  const read = readEntry(entry);
  return { entries: [{ name: name || ('config' in read ? nameFor(read.config) : 'server'), ...read }], inputs: [] };
}

function nothing(problem: string): Understood {
  return { entries: [], inputs: [], problem };
}
