import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpEndpoint, createHttpHandler, type HttpEndpoint } from '../../../src-main/mcp/endpoint/index.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { httpEndpoint, testEndpoint, TOKEN } from './clients.ts';
import { initialize, listTools, modernRequest, send, type RawRequest } from './raw-http.ts';

async function open(options: Parameters<typeof httpEndpoint>[1] = {}): Promise<HttpEndpoint> {
  return await httpEndpoint(testEndpoint(), options);
}

async function startSession(port: number, token = TOKEN): Promise<string> {
  const answer = await send(port, { body: initialize, headers: { Authorization: `Bearer ${token}` } });
  const id = answer.headers['mcp-session-id'];
  if (typeof id !== 'string') throw new Error(`No session: ${answer.status} ${answer.body}`);
  return id;
}

const modern = modernRequest('tools/list', {});
/** Both eras, and the other methods. */
const requests: [string, RawRequest][] = [
  ['initialize', { body: initialize }],
  ['a 2026-07-28 request', modern],
  ['a GET', { method: 'GET' }],
  ['a DELETE', { method: 'DELETE' }],
];

const withHeaders = (request: RawRequest, headers: RawRequest['headers']): RawRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

describe.each(requests)('over HTTP, %s', (_name, request) => {
  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Basic ${TOKEN}`,
    TOKEN,
    'Bearer wrong',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN} x`,
  ])('is refused with the Authorization header %j', async (Authorization) => {
    const { port } = await open();
    const answer = await send(port, withHeaders(request, { Authorization }));
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="causeway"/);
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '169.254.1.1'])(
    'is refused with the Host %j, whatever the token: a name may be rebound to this machine',
    async (Host) => {
      const { port } = await open();
      expect((await send(port, withHeaders(request, { Host }))).status).toBe(403);
    },
  );

  it.each(['https://evil.example', 'http://localhost.evil.example', 'null', 'file://', 'chrome-extension://abc'])(
    'is refused from the Origin %s',
    async (Origin) => {
      const { port } = await open();
      expect((await send(port, withHeaders(request, { Origin }))).status).toBe(403);
    },
  );

  it('is not served under another path, and a token in the URL counts for nothing', async () => {
    const { port } = await open();
    for (const path of ['/', '/mcp/', '/MCP', '/../mcp', '//mcp']) {
      expect((await send(port, { ...request, path })).status).toBe(404);
    }
    const headers = { Authorization: undefined };
    expect((await send(port, withHeaders({ ...request, path: `/mcp?token=${TOKEN}` }, headers))).status).toBe(401);
  });
});

describe('the HTTP endpoint', () => {
  it('serves local names and local origins', async () => {
    const { port } = await open();
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const headers = { Host: `${name}:${port}`, Origin: `http://${name}:3000` };
      expect((await send(port, { body: initialize, headers })).status).toBe(200);
    }
  });

  it('gives a browser page no way to read its answers', async () => {
    const { port } = await open();
    const answer = await send(port, { body: initialize, headers: { Origin: `http://localhost:${port}` } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await send(port, { method: 'OPTIONS', headers: { Origin: 'http://localhost' } })).status).toBe(405);
  });

  it('says no without a reason that helps: known and unknown sessions of others look the same', async () => {
    const served = testEndpoint();
    const principals = new Map([
      ['token-of-one', 'one'],
      ['token-of-two', 'two'],
    ]);
    const handler = createHttpHandler(served.endpoint, { authenticate: (token) => principals.get(token) });
    const server = createServer((request, response) => void handler.handle(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      await handler[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const id = await startSession(port, 'token-of-one');
    const as = (token: string, session: string): Record<string, string> => ({
      Authorization: `Bearer ${token}`,
      'Mcp-Session-Id': session,
    });
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? listTools : undefined;
      const stolen = await send(port, { method, body, headers: as('token-of-two', id) });
      const invented = await send(port, { method, body, headers: as('token-of-two', crypto.randomUUID()) });
      expect(stolen.status).toBe(404);
      expect(stolen).toMatchObject({ status: invented.status, body: invented.body });
    }
    expect((await send(port, { body: listTools, headers: as('token-of-one', id) })).status).toBe(200);
  });

  it('names the app by its token and its own name, so that apps cannot pass for each other', async () => {
    const served = testEndpoint();
    const { port } = await httpEndpoint(served);
    const call = modernRequest('tools/call', { name: 'echo', arguments: {} }, { name: 'stdio:editor', version: '1' });
    expect((await send(port, call)).status).toBe(200);
    expect(served.opened).toEqual([{ id: 'http:stdio:editor', name: 'stdio:editor' }]);
  });

  it('ends a session on DELETE', async () => {
    const { port } = await open();
    const headers = { 'Mcp-Session-Id': await startSession(port) };
    expect((await send(port, { body: listTools, headers })).status).toBe(200);
    expect((await send(port, { method: 'DELETE', headers })).status).toBe(200);
    expect((await send(port, { body: listTools, headers })).status).toBe(404);
  });

  it('asks for a session when there is none', async () => {
    const { port } = await open();
    expect((await send(port, { body: listTools })).status).toBe(400);
  });

  it('gives up the longest unused session for a new one when all are taken', async () => {
    const { port } = await open({ maxSessions: 2 });
    const ids = [await startSession(port), await startSession(port)];
    await send(port, { body: listTools, headers: { 'Mcp-Session-Id': ids[0] } });
    ids.push(await startSession(port));
    const states = [];
    for (const id of ids) {
      states.push((await send(port, { body: listTools, headers: { 'Mcp-Session-Id': id } })).status);
    }
    expect(states).toEqual([200, 404, 200]);
  });

  it('refuses a body above 16 MiB, announced or not, and goes on', async () => {
    const { port } = await open();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { long: 'x'.repeat(17 * 1024 * 1024) } });
    // The server may hang up before all of it is sent; both are a refusal.
    const outcomes = await Promise.all(
      [{}, { 'Transfer-Encoding': 'chunked' }].map((headers) =>
        send(port, { body, headers }).then(
          (answer) => answer.status,
          () => 'hung up',
        ),
      ),
    );
    for (const outcome of outcomes) expect([413, 'hung up']).toContain(outcome);
    expect((await send(port, modern)).status).toBe(200);
  });

  it('takes a body of many megabytes', async () => {
    const { port } = await open();
    const call = modernRequest('tools/call', { name: 'echo', arguments: { text: 'é'.repeat(5 * 1024 * 1024) } });
    expect((await send(port, call)).status).toBe(200);
  });

  it('refuses bodies that are not JSON, and media types that are not', async () => {
    const { port } = await open();
    for (const body of ['', '{', 'null', '"text"', '[]', '{}', '{"jsonrpc":"2.0"}', '\u0000']) {
      const { status } = await send(port, { body });
      expect(status, body).toBe(400);
    }
    expect((await send(port, { body: initialize, headers: { 'Content-Type': 'text/plain' } })).status).toBe(415);
  });

  it('survives connections that say nothing, or stop half way', async () => {
    const { port } = await open();
    const sockets = Array.from({ length: 300 }, (_, index) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      if (index % 3 === 1) socket.write('POST /mcp HTTP/1.1\r\nHost: loc');
      if (index % 3 === 2) socket.write('GARBAGE\r\n\r\n');
      return socket;
    });
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    expect((await send(port, modern)).status).toBe(200);
  });

  it('listens on this machine only, and says so when the port is taken', async () => {
    const served = testEndpoint();
    const { port, url } = await httpEndpoint(served);
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    await expect(httpEndpoint(served, { port })).rejects.toMatchObject({
      code: 'conflict',
      message: `Port ${port} on 127.0.0.1 is already in use.`,
    });
  });

  it('wants a token that cannot be guessed', async () => {
    const { endpoint } = testEndpoint();
    await expect(createHttpEndpoint(endpoint, { token: 'short', port: 0 })).rejects.toMatchObject({
      code: 'bad_input',
    });
  });

  it('closes with open streams and running calls', async () => {
    const served = testEndpoint();
    const http = await createHttpEndpoint(served.endpoint, { token: TOKEN, port: 0 });
    const headers = { 'Mcp-Session-Id': await startSession(http.port) };
    const hanging = [
      send(http.port, { method: 'GET', headers }),
      send(http.port, modernRequest('tools/call', { name: 'hang', arguments: {} })),
    ];
    const settled = Promise.allSettled(hanging);
    await waitFor(() => served.events().some((event) => event.type === 'tool.started'));
    await http[Symbol.asyncDispose]();
    await settled;
    await expect(send(http.port, modern)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
