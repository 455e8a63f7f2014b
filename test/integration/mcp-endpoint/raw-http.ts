import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { MODERN, TOKEN } from './clients.ts';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface RawRequest {
  method?: string;
  path?: string;
  /** Over the usual ones; undefined leaves a header out. */
  headers?: Record<string, string | undefined>;
  body?: string | undefined;
}

/** One HTTP request with full say over its headers, Host among them, which `fetch` does not give. */
export async function send(
  port: number,
  { method = 'POST', path = '/mcp', headers, body }: RawRequest,
): Promise<RawAnswer> {
  const usual = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${TOKEN}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const given = Object.entries({ ...usual, ...headers }).filter(([, value]) => value !== undefined);
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const outgoing = request({ port, host: '127.0.0.1', method, path, headers: Object.fromEntries(given), agent: false });
  outgoing.on('error', reject);
  outgoing.on('response', (response) => {
    text(response).then(
      (all) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: all }),
      reject,
    );
  });
  outgoing.end(body);
  return await promise;
}

export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

export const listTools = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} });

/** A request of 2026-07-28, which introduces itself. */
export function modernRequest(
  method: string,
  params: object,
  clientInfo: unknown = { name: 'raw', version: '1' },
): RawRequest {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': clientInfo,
  };
  const name = 'name' in params ? { 'Mcp-Name': String(params.name) } : {};
  return {
    headers: { 'MCP-Protocol-Version': MODERN, 'Mcp-Method': method, ...name },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  };
}
