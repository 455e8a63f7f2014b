import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CausewayError } from '../../../src-shared/index.ts';
import { singleToken } from './access.ts';
import type { Endpoint } from './contract.ts';
import { createHttpHandler, type HttpHandlerOptions } from './http-handler.ts';
import { refuse } from './refuse.ts';

const PATH = '/mcp';
/** Shortest token that is accepted, in characters. */
const MIN_TOKEN = 16;
/** Time for the headers of a request, and for all of it, in milliseconds: slow senders are dropped. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
/** A reader that takes nothing for so long while something waits for it is dropped, in milliseconds. */
const STALLED_MS = 60_000;
const MAX_CONNECTIONS = 512;

export interface HttpEndpointOptions extends Omit<HttpHandlerOptions, 'authenticate'> {
  /** The bearer token that every request must carry: 16 characters at least. */
  token: string;
  /** 0 takes a free one. */
  port: number;
  /** A loopback address; nothing else is listened on. */
  host?: '127.0.0.1' | '::1';
}

/** A listening HTTP server. Disposing it ends every connection. */
export interface HttpEndpoint extends AsyncDisposable {
  /** What other apps are given, with the token beside it. */
  readonly url: string;
  readonly port: number;
}

/**
 * Serves Streamable HTTP at /mcp on this machine only.
 * @throws CausewayError `bad_input` for a weak token, `conflict` for a port in use, `unavailable` when it cannot listen.
 */
export async function createHttpEndpoint(
  endpoint: Endpoint,
  { token, port, host = '127.0.0.1', ...options }: HttpEndpointOptions,
): Promise<HttpEndpoint> {
  if (token.length < MIN_TOKEN) {
    throw new CausewayError('bad_input', `The token for the HTTP endpoint is shorter than ${MIN_TOKEN} characters.`);
  }
  const handler = createHttpHandler(endpoint, { ...options, authenticate: singleToken(token) });
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, (request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (path === PATH) void handler.handle(request, response);
    else refuse(response, 404, `Only ${PATH} is served here.`);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(STALLED_MS, (socket) => {
    // A quiet connection may wait for a long call; one that does not take its data is gone.
    if (socket.writableLength > 0) socket.destroy();
  });
  try {
    await listen(server, port, host);
  } catch (error) {
    await handler[Symbol.asyncDispose]();
    throw error;
  }
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    url: `http://${host === '::1' ? '[::1]' : host}:${actual}${PATH}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      await handler[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen({ port, host });
  try {
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw new CausewayError('conflict', `Port ${port} on ${host} is already in use.`, {
        hint: 'Choose another one, or 0 for any that is free.',
        cause: error,
      });
    }
    throw new CausewayError('unavailable', `Cannot listen on ${host}, port ${port}.`, { cause: error });
  }
}
