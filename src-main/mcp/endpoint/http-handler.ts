import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { createGate } from './access.ts';
import type { Authenticate, Endpoint } from './contract.ts';
import { createHttpSessions } from './http-sessions.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { notJson } from './refuse.ts';

/** Sessions of older clients that may be open at the same time. */
const MAX_SESSIONS = 256;
/** Milliseconds after which a session that nobody uses ends. */
const IDLE_MS = 60 * 60_000;
/** Streams on which clients of 2026-07-28 wait for changes. */
const MAX_SUBSCRIPTIONS = 256;

export interface HttpHandlerOptions {
  authenticate: Authenticate;
  maxSessions?: number;
  /** Milliseconds. */
  idleMs?: number;
  /** Hears of refused messages and faults, for a log. Never holds a token. */
  onError?: (error: Error) => void;
}

/** Streamable HTTP as a request handler, for a server of its own or inside another; the path is the caller's affair. */
export interface HttpHandler extends AsyncDisposable {
  /** Answers one request. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/**
 * Serves both protocol eras: 2025-11-25 and older in sessions (so that server requests, progress and list changes reach the
 * client), 2026-07-28 request by request. Disposing it ends every session and stream.
 */
export function createHttpHandler(
  endpoint: Endpoint,
  { authenticate, maxSessions = MAX_SESSIONS, idleMs = IDLE_MS, onError }: HttpHandlerOptions,
): HttpHandler {
  const report = onError && { onerror: onError };
  const gate = createGate(authenticate);
  const sessions = createHttpSessions(endpoint, { maxSessions, idleMs });
  const modern = createMcpHandler(
    ({ authInfo }) => endpoint.open({ via: authInfo?.clientId ?? '', era: 'modern', lasts: 'request' }),
    { legacy: 'reject', maxSubscriptions: MAX_SUBSCRIPTIONS, maxRequestBodySize: MAX_MESSAGE_BYTES, ...report },
  );
  const watch = endpoint.onToolsChanged(() => modern.notify.toolsChanged());

  async function route(request: Request, principal: string, response: ServerResponse): Promise<Response> {
    const body = request.method === 'POST' ? parse(await request.text()) : undefined;
    if (request.method === 'POST' && body === undefined) return notJson();
    if (await isLegacyRequest(request, body)) {
      const whenAnswered = (listener: () => void): void => void finished(response, listener);
      return await sessions.handle({ request, body, principal, whenAnswered });
    }
    // The SDK's form for "who this is"; the token itself stays here.
    const authInfo = { token: '', clientId: principal, scopes: [] };
    return await modern.fetch(request, { authInfo, parsedBody: body });
  }

  return {
    async handle(request, response) {
      const principal = gate(request, response);
      if (principal === undefined) return;
      const fetch = (webRequest: Request): Promise<Response> => route(webRequest, principal, response);
      await toNodeHandler({ fetch }, { maxRequestBodySize: MAX_MESSAGE_BYTES, ...report })(readable(request), response);
    },
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await Promise.all([modern.close(), sessions[Symbol.asyncDispose]()]);
    },
  };
}

/** The request in the form that the SDK's adapter asks for. */
function readable(request: IncomingMessage): NodeIncomingMessageLike {
  const { method = 'GET', url = '/', headers } = request;
  return { method, url, headers, [Symbol.asyncIterator]: () => request[Symbol.asyncIterator]() };
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
