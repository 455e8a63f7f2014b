import type { RequestId } from '@modelcontextprotocol/server';

const AT_HEAD = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*,/;
const AT_TAIL = /,\s*"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*\}\s*$/;

/**
 * The id of a JSON-RPC request of which only the ends are there. Clients write it right after `jsonrpc` or last; in both places
 * it cannot be anything else than the request's own, because the first and the last brace are those of the message itself.
 */
export function findRequestId(line: { head: string; tail: string }): RequestId | undefined {
  const found = AT_HEAD.exec(line.head)?.[1] ?? AT_TAIL.exec(line.tail)?.[1];
  if (found === undefined) return undefined;
  const id: unknown = JSON.parse(found);
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
