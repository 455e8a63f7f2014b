import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CausewayError } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';
import type { HostFace } from '../../rpc/index.ts';
import { listRendererFiles } from '../renderer-files.ts';
import { createAccess } from './access.ts';
import { createRequestHandler } from './requests.ts';
import { attachSockets } from './sockets.ts';
import { createViewServer } from './views.ts';

/** Time for the headers of a request and for all of it, in milliseconds: slow senders are dropped. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const MAX_CONNECTIONS = 256;

export interface WebHostOptions {
  app: App;
  host: HostFace;
  /** The built window. */
  rendererFolder: string;
  /** 0 takes a free one. */
  port: number;
}

/** Causeway as a page on this machine. Disposing it ends every connection. */
export interface WebHost extends AsyncDisposable {
  readonly port: number;
  /** A fresh link that opens Causeway once, in one browser. */
  link(): string;
}

/**
 * Serves the window on 127.0.0.1 and nowhere else. See access.ts for who gets in.
 * @throws CausewayError `unavailable` when the window is not built, `conflict` for a port in use.
 */
export async function createWebHost({ app, host, rendererFolder, port }: WebHostOptions): Promise<WebHost> {
  const files = listRendererFiles(rendererFolder);
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS });
  server.maxConnections = MAX_CONNECTIONS;
  const actual = await listen(server, port);
  const access = createAccess(actual);
  const views = await createViewServer({ files, windowPort: actual });
  server.on('request', createRequestHandler({ access, port: actual, files, views, blobs: app.store.blobs }));
  const sockets = attachSockets(server, { app, host, access, views, port: actual });
  return {
    port: actual,
    link: () => `http://127.0.0.1:${actual}/open?token=${access.issue()}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      sockets[Symbol.dispose]();
      server.closeAllConnections();
      await Promise.all([closed, views[Symbol.asyncDispose]()]);
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen({ port, host: '127.0.0.1' });
  try {
    await once(server, 'listening');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE') {
      throw new CausewayError('conflict', `Port ${port} is in use by another program.`, {
        hint: 'Choose another one with --port, or leave it out to get a free one.',
        cause,
      });
    }
    throw new CausewayError('unavailable', `Causeway could not listen on 127.0.0.1, port ${port}.`, {
      hint: 'Choose another one with --port.',
      cause,
    });
  }
  // A TCP server that listens has an address object; the string form is for pipes.
  return (server.address() as AddressInfo).port;
}
