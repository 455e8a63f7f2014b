import type { ServerResponse } from 'node:http';

/** What the SDK's transports use for errors of the HTTP layer: the first code that JSON-RPC leaves to servers. */
const SERVER_ERROR = -32_000;
/** As the SDK's transports answer it, so that clients start anew. */
const SESSION_NOT_FOUND = -32_001;
/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;

/** Answers a request that did not come so far as to have a JSON-RPC id, and closes its connection: its body was not read. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
  response.end(JSON.stringify(errorBody(SERVER_ERROR, message)));
}

/** No such session, or another caller's: the answer does not tell which. */
export function sessionNotFound(): Response {
  return Response.json(errorBody(SESSION_NOT_FOUND, 'There is no such session. Start a new one.'), { status: 404 });
}

export function badRequest(message: string): Response {
  return Response.json(errorBody(SERVER_ERROR, message), { status: 400 });
}

export function notJson(): Response {
  return Response.json(errorBody(PARSE_ERROR, 'The request body is not valid JSON.'), { status: 400 });
}

export function unavailable(message: string): Response {
  return Response.json(errorBody(SERVER_ERROR, message), { status: 503, headers: { 'Retry-After': '60' } });
}

function errorBody(code: number, message: string): object {
  return { jsonrpc: '2.0', error: { code, message }, id: null };
}
