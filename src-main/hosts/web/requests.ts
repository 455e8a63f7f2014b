import { createReadStream } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../../store/index.ts';
import { answerBlob } from '../blob-request.ts';
import type { RendererFile } from '../renderer-files.ts';
import { securityHeaders } from '../security-headers.ts';
import { isOwnAddress, type Access } from './access.ts';
import { LOCKED_PAGE } from './locked-page.ts';
import { refuse } from './refuse.ts';
import type { ViewServer } from './views.ts';

export interface RequestParts {
  access: Access;
  port: number;
  files: ReadonlyMap<string, RendererFile>;
  blobs: BlobStore;
  views: ViewServer;
}

/** Answers plain HTTP: the link from the terminal, the built window, and stored pictures and sounds. */
export function createRequestHandler(parts: RequestParts): RequestListener {
  return (request, response) => {
    try {
      answer(parts, request, response);
    } catch {
      // What a page may know about a fault of ours: that there was one.
      if (!response.headersSent) refuse(response, 500, 'Causeway could not answer this request.');
      else response.destroy();
    }
  };
}

function answer(
  { access, port, files, blobs, views }: RequestParts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (!isOwnAddress(request, port)) return refuse(response, 403, 'This address is not for other web sites.');
  const { host = '' } = request.headers;
  const headers = securityHeaders({ connect: `ws://${host}`, frames: new URL(views.frameFor(host)).origin });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET is answered here.');
  const url = readUrl(request);
  if (!url) return refuse(response, 400, 'This is not an address Causeway understands.');
  if (url.pathname === '/open') return openLink(access, url, request, response);
  if (!access.knows(request)) {
    return url.pathname === '/'
      ? showLocked(response)
      : refuse(response, 401, 'Open the link from the terminal first.');
  }
  const blob = answerBlob(url, blobs);
  if (blob) {
    response.writeHead(blob.status, blob.headers);
    response.end(request.method === 'HEAD' ? undefined : blob.body);
    return;
  }
  const file = files.get(url.pathname);
  if (!file) return refuse(response, 404, 'There is no such page.');
  sendFile(file, request, response);
}

/** The path as the browser normalises it; undefined for what is no path of ours (`//host`, absolute forms). */
function readUrl(request: IncomingMessage): URL | undefined {
  const target = request.url ?? '';
  if (!target.startsWith('/') || target.startsWith('//')) return undefined;
  return URL.parse(target, 'http://causeway.invalid') ?? undefined;
}

function openLink(access: Access, url: URL, request: IncomingMessage, response: ServerResponse): void {
  // A HEAD (a link preview) must not use up the token.
  const cookie = request.method === 'GET' ? access.redeem(url.searchParams.get('token') ?? '') : undefined;
  // Opened a second time in the browser that holds the cookie already, a link is not an error.
  if (!cookie && !access.knows(request)) return showLocked(response);
  response.writeHead(303, { Location: '/', 'Cache-Control': 'no-store', ...(cookie && { 'Set-Cookie': cookie }) });
  response.end();
}

function showLocked(response: ServerResponse): void {
  response.writeHead(401, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(LOCKED_PAGE);
}

function sendFile({ file, type, immutable }: RendererFile, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': type,
    'Cache-Control': immutable ? 'private, max-age=31536000, immutable' : 'no-cache',
  });
  if (request.method === 'HEAD') response.end();
  // The browser that left, or the file that a new build took away: nothing to tell anybody.
  else pipeline(createReadStream(file), response).catch(() => response.destroy());
}
