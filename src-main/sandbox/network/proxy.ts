import { lookup } from 'node:dns/promises';
import { closeSync, openSync } from 'node:fs';
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CausewayError } from '../../../src-shared/index.ts';
import type { NetworkProxy, WayOutOptions } from '../contract.ts';
import { reaches, readRule, ruleFor, type HostRule } from './rules.ts';

const MOST_CONNECTIONS = 256;
/** A connection over which nothing goes for so long is closed, in milliseconds. */
const IDLE_MS = 5 * 60_000;
const CONNECT_MS = 30_000;
/** Hosts that are remembered as refused until somebody asks. */
const MOST_REFUSED = 20;
/** Headers between two neighbours (RFC 9110, section 7.6.1), which a proxy does not hand on. */
const HOP_HEADERS = ['connection', 'proxy-connection', 'keep-alive', 'proxy-authorization', 'te', 'trailer', 'upgrade'];

/**
 * Serves an HTTP proxy on the Unix socket `name` in `folder`, to the hosts of `rules` and no others. Names are looked up here, and what is connected to is the address that was checked.
 * @throws CausewayError `unavailable`
 */
export async function openNetworkProxy({
  folder,
  name,
  rules,
  setting,
}: WayOutOptions & { name: string }): Promise<NetworkProxy> {
  const allowed = rules.map(readRule);
  const refused = new Set<string>();
  const open = new Set<Duplex>();

  async function find(host: string, port: number): Promise<string> {
    const rule = ruleFor(allowed, host, port);
    const address = rule && (await addressOf(rule, host));
    if (address !== undefined) return address;
    if (refused.size < MOST_REFUSED) refused.add(`${host}:${port}`);
    throw new RefusedHost(`${host}:${port} is not among the hosts that the setting "${setting}" allows.`);
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const target = readUrl(request.url ?? '');
      const port = target.port === '' ? 80 : Number(target.port);
      const address = await find(target.hostname, port);
      await relay(request, response, { target, port, address });
    } catch (error) {
      if (!response.headersSent) response.writeHead(statusOf(error), { 'content-type': 'text/plain' });
      response.end(`${sentence(error)}\n`);
    }
  }

  async function tunnel(request: IncomingMessage, inner: Duplex, head: Buffer): Promise<void> {
    inner.on('error', () => inner.destroy());
    try {
      const { hostname, port } = readUrl(`http://${request.url ?? ''}`);
      const outer = await connectTo(
        await find(hostname, port === '' ? 80 : Number(port)),
        port === '' ? 80 : Number(port),
      );
      open.add(outer);
      outer.once('close', () => open.delete(outer));
      inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
      outer.write(head);
      join(inner, outer);
    } catch (error) {
      const status = statusOf(error);
      inner.end(
        `HTTP/1.1 ${status} ${status === 403 ? 'Forbidden' : 'Bad Gateway'}\r\ncontent-type: text/plain\r\n\r\n${sentence(error)}\n`,
      );
    }
  }

  const server = createServer({ requestTimeout: 0 }, (request, response) => void forward(request, response));
  server.maxConnections = MOST_CONNECTIONS;
  server.on('connect', (request, socket, head) => void tunnel(request, socket, head));
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  });
  await listen(server, folder, name);
  return {
    takeRefused() {
      const hosts = [...refused];
      refused.clear();
      return hosts;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const stream of open) stream.destroy();
      await closed;
    },
  };
}

/** The names of sockets must be short (108 bytes, unix(7)); folders need not be. */
async function listen(server: ReturnType<typeof createServer>, folder: string, name: string): Promise<void> {
  const descriptor = openSync(folder, 'r');
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(`/proc/self/fd/${descriptor}/${name}`, resolve);
    });
  } catch (cause) {
    throw new CausewayError('unavailable', 'The way to the allowed hosts could not be opened.', { cause });
  } finally {
    closeSync(descriptor);
  }
}

async function addressOf(rule: HostRule, host: string): Promise<string | undefined> {
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true });
  return found.find(({ address }) => reaches(rule, address))?.address;
}

interface Target {
  target: URL;
  port: number;
  address: string;
}

function relay(request: IncomingMessage, response: ServerResponse, { target, port, address }: Target): Promise<void> {
  return new Promise((resolve, reject) => {
    const outer = send({
      ...{ host: address, port, method: request.method, path: `${target.pathname}${target.search}`, agent: false },
      ...{ timeout: IDLE_MS, setHost: false },
      headers: { ...withoutHops(request.headers), host: target.host },
    });
    outer.on('timeout', () => outer.destroy(new Error('it did not answer in time')));
    outer.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      answer.on('end', resolve);
    });
    outer.on('error', reject);
    response.on('close', () => outer.destroy());
    request.pipe(outer);
  });
}

function withoutHops(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)));
}

function connectTo(address: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, allowHalfOpen: true });
    const timer = setTimeout(() => socket.destroy(new Error('it did not answer in time')), CONNECT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve(socket);
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

function join(inner: Duplex, outer: Socket): void {
  outer.setTimeout(IDLE_MS, () => outer.destroy());
  inner.pipe(outer).pipe(inner);
  inner.on('close', () => outer.destroy());
  outer.on('close', () => inner.destroy());
  outer.on('error', () => inner.destroy());
}

class RefusedHost extends Error {}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:')
    throw new RefusedHost('This proxy takes HTTP requests, and CONNECT for everything else.');
  return url;
}

function statusOf(error: unknown): number {
  return error instanceof RefusedHost ? 403 : 502;
}

function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof RefusedHost ? message : `The host could not be reached: ${message}`;
}
