import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { App } from '../../app.ts';
import type { HostFace } from '../../rpc/index.ts';
import { MAX_MESSAGE_BYTES, openWindowLine } from '../window-line.ts';
import { isOwnAddress, type Access } from './access.ts';
import type { ViewServer } from './views.ts';

/**
 * What may wait in memory for a window that does not keep up, in bytes. Above it the line is cut: the window connects again
 * and asks for the events after the last one it has, so nothing is lost.
 */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const MAX_WINDOWS = 32;
/** Close codes of RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TRY_AGAIN_LATER = 1013;

export interface SocketParts {
  app: App;
  host: HostFace;
  access: Access;
  port: number;
  views: ViewServer;
}

/** Serves the RPC contract at /rpc to windows that hold the cookie. Disposing it closes every socket. */
export function attachSockets(server: Server, parts: SocketParts): Disposable {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  server.on('upgrade', (request, stream, head) => {
    const status = refusal(parts, request, sockets.clients.size);
    if (status) return hangUp(stream, status);
    sockets.handleUpgrade(request, stream, head, (socket) => serve(parts, socket, request.headers.host ?? ''));
  });
  return {
    [Symbol.dispose]() {
      for (const socket of sockets.clients) {
        socket.close(GOING_AWAY);
        socket.terminate();
      }
      sockets.close();
    },
  };
}

/** Why this upgrade is not granted, as a status line; undefined when it is. Browsers always send Origin, so it must be there. */
function refusal({ access, port }: SocketParts, request: IncomingMessage, windows: number): string | undefined {
  if (request.headers.origin === undefined || !isOwnAddress(request, port)) return '403 Forbidden';
  if (!access.knows(request)) return '401 Unauthorized';
  if (request.url?.split('?', 1)[0] !== '/rpc') return '404 Not Found';
  if (windows >= MAX_WINDOWS) return '503 Service Unavailable';
  return undefined;
}

function hangUp(stream: Duplex, status: string): void {
  // The other end may be gone already, which is what we want of it anyway.
  stream.on('error', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function serve({ app, host, views }: SocketParts, socket: WebSocket, windowHost: string): void {
  const line = openWindowLine({
    app,
    host: { ...host, viewFrame: views.frameFor(windowHost) },
    send(json) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > MAX_WAITING_BYTES) return cut(socket, TRY_AGAIN_LATER, 'too slow');
      socket.send(json);
    },
  });
  socket.on('message', (data, isBinary) => {
    if (isBinary || !line.receive(String(data))) cut(socket, POLICY_VIOLATION, 'not understood');
  });
  socket.on('close', () => line[Symbol.dispose]());
  // `ws` closes the socket after every error; a broken line needs no more than that.
  socket.on('error', () => undefined);
}

/** Closes politely and, because a reader that is stuck never answers a close, for good. */
function cut(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
}
