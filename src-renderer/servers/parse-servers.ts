import { parse, type ParseError } from 'jsonc-parser';
import { isJsonObject, serverConfig, stdioServer, type JsonObject, type ServerConfig } from '../../src-shared/index.ts';

export interface NamedServer {
  readonly name: string;
  readonly config: ServerConfig;
}
export type ParsedServers =
  | { readonly ok: true; readonly servers: readonly NamedServer[] }
  | { readonly ok: false; readonly problem: 'json' | 'shape' | 'empty' }
  | { readonly ok: false; readonly problem: 'server'; readonly name: string };

/**
 * Servers from pasted JSON, as READMEs and other programs write them: under `mcpServers` (Claude Desktop, Cursor and most), under
 * `servers` (VS Code), or a bare map from name to server. Comments and trailing commas are fine.
 */
export function parseServers(text: string): ParsedServers {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  if (errors.length > 0) return { ok: false, problem: 'json' };
  if (!isJsonObject(value)) return { ok: false, problem: 'shape' };
  const map = serverMap(value);
  if (!map) return { ok: false, problem: 'shape' };
  const servers: NamedServer[] = [];
  for (const [name, entry] of Object.entries(map)) {
    const config = serverConfig.safeParse(entry);
    if (!config.success) return { ok: false, problem: 'server', name };
    servers.push({ name, config: config.data });
  }
  return servers.length === 0 ? { ok: false, problem: 'empty' } : { ok: true, servers };
}

function serverMap(value: JsonObject): JsonObject | undefined {
  const inner = value['mcpServers'] ?? value['servers'];
  if (inner !== undefined) return isJsonObject(inner) ? inner : undefined;
  return Object.values(value).every(isJsonObject) ? value : undefined;
}

/** Lines such as `KEY=value` or `Name: value` as a record; empty lines are skipped, a line without the sign is a name alone. */
export function parsePairs(text: string, sign: '=' | ':'): Record<string, string> {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(sign);
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  return Object.fromEntries(pairs);
}

/** What attaching a server would run or reach, as one line. */
export function serverTarget(config: ServerConfig): string {
  const stdio = stdioServer.safeParse(config);
  return stdio.success ? [stdio.data.command, ...stdio.data.args].join(' ') : String(config.url);
}
