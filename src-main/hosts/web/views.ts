import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CausewayError } from '../../../src-shared/index.ts';
import type { RendererFile } from '../renderer-files.ts';
import { answerFrame } from '../view-frame.ts';
import { refuse } from './refuse.ts';

/** Ports that are tried: the number must be free at every address of this machine. */
const TRIES = 10;
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000 };
/** The window at one of these names shows views that are framed at the other. */
const OTHER_NAME: Readonly<Record<string, string>> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' };

/** A second origin on this machine, for the frames of views. */
export interface ViewServer extends AsyncDisposable {
  readonly port: number;
  /** Where the window at this host (name and port) finds the frame. */
  frameFor(windowHost: string): string;
}

/**
 * Listens on a port of its own, under the name that the window does not use: browsers share cookies between ports, and often a
 * process, but not between `127.0.0.1` and `localhost`. Both addresses that `localhost` may mean are taken, so that no other program
 * can answer in its place.
 */
export async function createViewServer({
  files,
  windowPort,
}: {
  files: ReadonlyMap<string, RendererFile>;
  windowPort: number;
}): Promise<ViewServer> {
  const { servers, port } = await listenEverywhere();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    serve({ request, response, files, port, windowPort }).catch(() => {
      if (!response.headersSent) refuse(response, 500, 'Causeway could not answer this request.');
      else response.destroy();
    });
  };
  for (const server of servers) server.on('request', answer);
  return {
    port,
    frameFor(windowHost) {
      const name = windowHost.replace(/:\d+$/, '');
      return `http://${OTHER_NAME[name] ?? 'localhost'}:${port}/frame`;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map(close));
    },
  };
}

async function serve(at: {
  request: IncomingMessage;
  response: ServerResponse;
  files: ReadonlyMap<string, RendererFile>;
  port: number;
  windowPort: number;
}): Promise<void> {
  const { request, response, files, port, windowPort } = at;
  const name = request.headers.host?.replace(`:${port}`, '') ?? '';
  const windowName = OTHER_NAME[name];
  if (windowName === undefined) return refuse(response, 403, 'This address is not for other web sites.');
  if (request.method !== 'GET') return refuse(response, 405, 'Only GET is answered here.');
  const url = request.url?.startsWith('/') ? URL.parse(request.url, 'http://view.invalid') : null;
  if (!url) return refuse(response, 400, 'This is not an address Causeway understands.');
  const { status, headers, body } = await answerFrame(url, { files, window: `http://${windowName}:${windowPort}` });
  response.writeHead(status, headers);
  response.end(body);
}

async function listenEverywhere(): Promise<{ servers: Server[]; port: number }> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const first = createServer(TIMES);
    await listen(first, '127.0.0.1', 0);
    const { port } = first.address() as AddressInfo;
    const second = createServer(TIMES);
    try {
      await listen(second, '::1', port);
      return { servers: [first, second], port };
    } catch (error) {
      // A machine without IPv6 has nobody there either.
      if (codeOf(error) !== 'EADDRINUSE') return { servers: [first], port };
      await close(first);
    }
  }
  throw new CausewayError('unavailable', 'No port for views is free on this machine.');
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ port, host, ...(host === '::1' && { ipv6Only: true }) });
  await once(server, 'listening');
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
