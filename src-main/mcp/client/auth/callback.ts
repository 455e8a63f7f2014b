import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CausewayError } from '../../../../src-shared/index.ts';
import { callbackPage, type CallbackOutcome } from './callback-page.ts';

const LOOPBACK = '127.0.0.1';
const DEFAULT_PATH = '/callback';
/** Bytes that a request may have before its body. */
const MOST_HEADER_BYTES = 16 * 1024;
const REQUEST_MS = 5_000;

/** What the browser brought back. */
export interface Callback {
  params: URLSearchParams;
  /** Shows the browser how it ended. */
  answer(outcome: CallbackOutcome): void;
}

/** Waits on this machine for a browser to come back from an authorization server. Disposing stops it. */
export interface CallbackListener extends Disposable {
  readonly redirectUrl: string;
  /** The first request that carries the right state. Others are refused and change nothing. Rejects when it is disposed. */
  readonly callback: Promise<Callback>;
}

/**
 * @param wanted the address to come back to, when it is a certain one; its port may be taken.
 * @throws CausewayError `conflict` when the wanted port is taken.
 */
export async function listenForCallback(state: string, wanted?: URL): Promise<CallbackListener> {
  const arrived = Promise.withResolvers<Callback>();
  // Whoever waits hears of it; without anybody waiting it is no fault.
  arrived.promise.catch(() => undefined);
  const hostname = wanted?.hostname ?? LOOPBACK;
  const expectedPath = wanted?.pathname ?? DEFAULT_PATH;
  let port = 0;
  let taken = false;

  const server = createServer({ maxHeaderSize: MOST_HEADER_BYTES, requestTimeout: REQUEST_MS }, (request, response) => {
    response.setHeader('Connection', 'close');
    const params = taken ? undefined : readCallback(request, { host: `${hostname}:${port}`, expectedPath, state });
    if (!params) return show(request, response, 'refused');
    taken = true;
    arrived.resolve({ params, answer: (outcome) => show(request, response, outcome) });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new CausewayError('conflict', `Port ${wanted?.port ?? ''} for signing in is taken.`.replace('  ', ' '), {
          hint: 'End the program that uses it, or set another "callbackPort".',
          cause,
        }),
      ),
    );
    server.listen({ host: LOOPBACK, port: Number(wanted?.port ?? 0) }, resolve);
  });
  port = (server.address() as AddressInfo).port;
  return {
    redirectUrl: `http://${hostname}:${port}${expectedPath}`,
    callback: arrived.promise,
    [Symbol.dispose]() {
      server.close();
      // An answer that is on its way gets there; whoever only holds a connection open does not keep us.
      server.closeIdleConnections();
      arrived.reject(new CausewayError('cancelled', 'Signing in was stopped.'));
    },
  };
}

/**
 * The parameters of a request that may end the sign-in; undefined for any other. Every page and program on this machine can
 * ask here: only the state, which the authorization server was given and nobody else, says that it is the answer.
 */
function readCallback(
  request: IncomingMessage,
  { host, expectedPath, state }: { host: string; expectedPath: string; state: string },
): URLSearchParams | undefined {
  // A name of somebody else's that leads here is not us.
  if (request.method !== 'GET' || request.headers.host !== host) return undefined;
  const url = URL.canParse(request.url ?? '', `http://${host}`) ? new URL(request.url ?? '', `http://${host}`) : null;
  if (url?.host !== host || url.pathname !== expectedPath) return undefined;
  const params = url.searchParams;
  for (const name of ['state', 'code', 'error', 'iss']) if (params.getAll(name).length > 1) return undefined;
  if (!isSame(params.get('state') ?? '', state)) return undefined;
  return params.has('code') === params.has('error') ? undefined : params;
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function show(request: IncomingMessage, response: ServerResponse, outcome: CallbackOutcome): void {
  response.writeHead(outcome === 'done' ? 200 : 400, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(callbackPage(outcome, request.headers['accept-language']));
}
