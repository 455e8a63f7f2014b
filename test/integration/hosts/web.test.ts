import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { rpcResponse } from '../../../src-shared/index.ts';
import { startApp, type RunningApp } from '../../e2e/fixtures/app.ts';
import { commandLine } from '../../fixtures/cli.ts';

/** A plain request with exactly these headers; fetch would not let a test forge Host. */
async function request(app: RunningApp, target: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(app.origin);
  const sent = get({ hostname, port, path: target, headers, agent: false });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

function targetOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** Opens the link as a browser would; gives the cookie. */
async function enter(app: RunningApp): Promise<{ Cookie: string }> {
  const { headers } = await request(app, targetOf(app.link));
  return { Cookie: headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' };
}

/** The HTTP status a web socket is refused with; 101 when it opens. */
function socketStatus(app: RunningApp, headers: Record<string, string>, at = '/rpc'): Promise<number> {
  const socket = new WebSocket(`${app.origin.replace('http', 'ws')}${at}`, { headers });
  onTestFinished(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('error', reject);
  });
}

describe('the web host', () => {
  it('lets a link in once, and gives a cookie that scripts and other sites do not get', async () => {
    const app = await startApp();
    const first = await request(app, targetOf(app.link));
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(first.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
    const second = await request(app, targetOf(app.link));
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body).toContain('press Enter');
  });

  it('shows the window to the cookie and to nobody else', async () => {
    const app = await startApp();
    const cookie = await enter(app);
    expect(await request(app, '/', cookie)).toMatchObject({ status: 200 });
    expect(await request(app, '/')).toMatchObject({ status: 401 });
    expect(await request(app, '/index.html')).toMatchObject({ status: 401 });
    expect(await request(app, '/', { Cookie: cookie.Cookie.replace(/=.*/, '=AAAA') })).toMatchObject({ status: 401 });
  });

  it('allows only its own scripts, in a page that no other page can frame', async () => {
    const app = await startApp();
    const { headers } = await request(app, '/', await enter(app));
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('turns away other host names and other origins, cookie or not', async () => {
    const app = await startApp();
    const cookie = await enter(app);
    expect(await request(app, '/', { ...cookie, Host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(await request(app, '/', { ...cookie, Origin: 'http://evil.example' })).toMatchObject({ status: 403 });
    expect(await request(app, '/', { ...cookie, Origin: 'null' })).toMatchObject({ status: 403 });
  });

  it.each([
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/../../cli.js',
    '//etc/passwd',
    '/%2e%2e/cli.js',
    '/\0',
  ])('serves nothing beside the window for %j', async (target) => {
    const app = await startApp();
    const { Cookie } = await enter(app);
    const { port } = new URL(app.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${Cookie}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(text).not.toContain('causeway"');
  });

  it('opens the line to the core for the window alone', async () => {
    const app = await startApp();
    const cookie = await enter(app);
    const Origin = app.origin;
    expect(await socketStatus(app, { ...cookie, Origin })).toBe(101);
    expect(await socketStatus(app, { Origin })).toBe(401);
    expect(await socketStatus(app, cookie)).toBe(403);
    expect(await socketStatus(app, { ...cookie, Origin: 'http://evil.example' })).toBe(403);
    expect(await socketStatus(app, { ...cookie, Origin, Host: 'evil.example' })).toBe(403);
    expect(await socketStatus(app, { ...cookie, Origin }, '/other')).toBe(404);
  });

  it('answers requests on the line, and cuts it at what is none', async () => {
    const app = await startApp();
    const socket = new WebSocket(`${app.origin.replace('http', 'ws')}/rpc`, {
      headers: { ...(await enter(app)), Origin: app.origin },
    });
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    socket.send(JSON.stringify({ id: 1, method: 'host.info', params: {} }));
    const [data] = await once(socket, 'message');
    expect(rpcResponse.parse(JSON.parse(String(data)))).toMatchObject({
      id: 1,
      result: { host: 'web', workspace: app.workspace },
    });
    socket.send('not json');
    const [code] = await once(socket, 'close');
    expect(code).toBe(1008);
  });

  it('names stored media by content, and never as something that can run', async () => {
    const app = await startApp();
    const cookie = await enter(app);
    expect(await request(app, `/blob/${'0'.repeat(64)}?type=image/png`, cookie)).toMatchObject({ status: 404 });
    expect(await request(app, `/blob/${'0'.repeat(64)}?type=image/png`)).toMatchObject({ status: 401 });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends cleanly on %s while windows are open', async (signal) => {
    const app = await startApp();
    expect(await socketStatus(app, { ...(await enter(app)), Origin: app.origin })).toBe(101);
    process.kill(app.pid, signal);
    expect(await app.stop()).toBe(0);
  });

  it('says that a port is taken, and by which option to choose another', async () => {
    const { port } = new URL((await startApp()).origin);
    const { code, stderr } = await commandLine().run('web', '--no-open', '--port', port);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`Port ${port} is in use.*--port`));
  });
});

describe('the origin for views', () => {
  /** The one that the window's policy allows to be framed. */
  async function viewOrigin(app: RunningApp): Promise<URL> {
    const { headers } = await request(app, '/', await enter(app));
    const origin = /frame-src (\S+?);/.exec(String(headers['content-security-policy']))?.[1];
    return new URL(origin ?? 'none:');
  }

  it('has another name than the window, so that cookies are not shared, and another port', async () => {
    const app = await startApp();
    const origin = await viewOrigin(app);
    expect(origin.hostname).toBe('localhost');
    expect(origin.port).not.toBe(new URL(app.origin).port);
    const { host } = new URL(app.origin.replace('127.0.0.1', 'localhost'));
    const { headers } = await request(app, '/', { Host: host });
    expect(headers['content-security-policy']).toContain(`frame-src http://127.0.0.1:${origin.port};`);
  });

  it('serves the frame to be shown in the window alone, and nothing else', async () => {
    const app = await startApp();
    const { port, host } = await viewOrigin(app);
    const at = { ...app, origin: `http://127.0.0.1:${port}` };
    const none = encodeURIComponent(JSON.stringify({ connect: [], resource: [], frame: [], baseUri: [] }));
    const frame = await request(at, `/frame?domains=${none}`, { Host: host });
    expect(frame).toMatchObject({ status: 200 });
    const policy = String(frame.headers['content-security-policy']);
    expect(policy).toContain(`frame-ancestors ${app.origin}`);
    expect(policy).toContain("connect-src 'none'");
    expect(await request(at, '/frame.js', { Host: host })).toMatchObject({ status: 200 });
    for (const target of ['/', '/index.html', '/rpc', `/open${new URL(app.link).search}`, `/blob/${'0'.repeat(64)}`]) {
      expect(await request(at, target, { Host: host })).toMatchObject({ status: 404 });
    }
    expect(await request(at, `/frame?domains=${none}`, { Host: 'evil.example' })).toMatchObject({ status: 403 });
    expect(await request(at, '/frame', { Host: host })).toMatchObject({ status: 400 });
  });

  it('takes no looser policy from an address than from a resource', async () => {
    const app = await startApp();
    const { port, host } = await viewOrigin(app);
    const loose = { connect: ['*', 'http://127.0.0.1:1'], resource: ["'unsafe-eval'"], frame: ['https:'], baseUri: [] };
    const target = `/frame?domains=${encodeURIComponent(JSON.stringify(loose))}`;
    const { headers } = await request({ ...app, origin: `http://127.0.0.1:${port}` }, target, { Host: host });
    expect(headers['content-security-policy']).toContain("connect-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe-eval');
  });
});

describe('causeway without a command, where there is no display', () => {
  it('says so in one line, serves the same window and prints its link', async () => {
    const { child, finished } = commandLine().start('--no-open');
    const [line] = await once(child.stdout, 'data');
    expect(String(line)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/open\?token=\S+\n$/);
    child.kill('SIGTERM');
    const { code, stderr } = await finished;
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('there is no display')]);
  });
});
