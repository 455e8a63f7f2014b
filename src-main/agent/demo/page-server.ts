import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { once } from 'node:events';
import { CausewayError } from '../../../src-shared/index.ts';

/** The only files that are served; anything else in the folder stays private. */
const SERVED: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/chart.png': { file: 'chart.png', type: 'image/png' },
};

export interface PageServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Serves the demo's page on a free port of 127.0.0.1, because browsers under test may not open `file:` addresses. Only the
 * page and its figure, read anew each time; requests under another host name (DNS rebinding) are refused.
 */
export async function servePage(folder: string): Promise<PageServer> {
  const server = createServer((request, response) => void answer(folder, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new CausewayError('internal', 'The page server of the demo has no port.');
  }
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const host = request.headers.host?.replace(/:\d+$/, '');
  const served = host === '127.0.0.1' && request.method === 'GET' ? SERVED[request.url ?? ''] : undefined;
  try {
    if (!served) throw new Error('not served');
    const bytes = await readFile(path.join(folder, served.file));
    response.writeHead(200, { 'Content-Type': served.type, 'Cache-Control': 'no-store' }).end(bytes);
  } catch {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not here.');
  }
}
