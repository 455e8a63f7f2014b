import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createServers } from '../../../src-main/mcp/client/index.ts';
import { createSecretStore } from '../../../src-main/store/secrets.ts';
import { browseTo } from '../../fixtures/person-browser.ts';
import { startSignInServer } from '../../fixtures/sign-in-server.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, run, toolOf, viewOf } from './setup.ts';
import { configOf, failedSignIn, signedIn, signIn } from './sign-in-setup.ts';

/** The clock of the program and of the server goes on; timers do not. */
function laterBy(seconds: number): void {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(now + seconds * 1000);
  onTestFinished(() => void vi.useRealTimers());
}

describe('a server that wants a sign-in', () => {
  it('says so, and asks nobody for anything before the person does', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    const view = await servers.attach('one', configOf(server));
    expect(view).toMatchObject({ state: 'needs-sign-in', signIn: 'needed', message: 'It wants you to sign in.' });
    expect(new Set(server.requests)).toEqual(new Set(['POST /mcp']));
  });

  it('is ready once the person has signed in', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    const { url, done } = await servers.signIn('one');
    expect(viewOf(servers, 'one').signIn).toBe('waiting');
    const [page] = await Promise.all([browseTo(url), done]);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in') });
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'ready', signIn: 'done' });
    expect((await call(servers, 'read')).isError).toBe(false);
  });

  it('is signed in to after a restart of the program too', async () => {
    const server = await startSignInServer();
    const home = temporaryFolder();
    await signedIn(server, { secrets: createSecretStore(home) });
    const { servers } = openServers(undefined, { secrets: createSecretStore(home) });
    expect(await servers.attach('one', configOf(server))).toMatchObject({ state: 'ready', signIn: 'done' });
    expect(server.count('POST /register')).toBe(1);
  });

  it('gets its token at its own address only: another address under its name starts anew', async () => {
    const [server, other] = [await startSignInServer(), await startSignInServer()];
    const home = temporaryFolder();
    await signedIn(server, { secrets: createSecretStore(home) });
    const { servers } = openServers(undefined, { secrets: createSecretStore(home) });
    expect(await servers.attach('one', configOf(other))).toMatchObject({ state: 'needs-sign-in' });
    expect(other.seen.join()).not.toContain('access-');
  });

  it('has one sign-in at a time, which whoever comes second joins', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    const [first, second] = await Promise.all([servers.signIn('one'), servers.signIn('one')]);
    expect(second.url).toBe(first.url);
    await Promise.all([browseTo(first.url), first.done, second.done]);
  });

  it('lets a call wait for the person who is signing in, and says what to do when nobody is', async () => {
    const server = await startSignInServer({ noRefresh: true });
    const servers = await signedIn(server);
    const read = toolOf(servers, 'read');
    server.accessTokens.clear();
    await expect(run(read)).rejects.toThrow('The server "one" did not do it. The sign-in has ended.');
    await expect(run(read)).rejects.toMatchObject({
      message: 'The server "one" can not be used yet. The sign-in has ended.',
      hint: expect.stringContaining('causeway servers login'),
    });
    const { url, done } = await servers.signIn('one');
    const waiting = run(read);
    await Promise.all([browseTo(url), done]);
    expect(await waiting).toMatchObject({ isError: false });
  });

  it('shows its tokens nowhere: not in the view, not in errors, not in files that can be read', async () => {
    const server = await startSignInServer({ noRefresh: false });
    const home = temporaryFolder();
    const servers = await signedIn(server, { secrets: createSecretStore(home) });
    const [access] = server.accessTokens.keys();
    server.failings.tokenAnswer = { status: 400, body: { error: 'invalid_grant', error_description: `bad ${access}` } };
    server.accessTokens.clear();
    const error = await call(servers, 'read').catch((cause: unknown) => cause);
    const told =
      JSON.stringify([servers.list(), String(error)]) + readFileSync(path.join(home, 'secrets.json'), 'utf8');
    expect(told).not.toMatch(/access-|refresh-/);
  });

  it('sends headers of its entry to the server, and never to the authorization server', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    await servers.attach('one', configOf(server, { headers: { 'X-Team': 'team-secret' } }));
    await signIn(servers);
    const withHeader = server.seen.filter((request) => request.includes('team-secret'));
    expect(withHeader.length).toBeGreaterThan(0);
    expect(withHeader.every((request) => request.startsWith(`["${server.mcpUrl}"`))).toBe(true);
  });

  it('with an Authorization header of its own says that it was refused, and wants no other sign-in', async () => {
    const server = await startSignInServer();
    const { servers } = openServers(undefined, { env: { KEY: 'wrong' } });
    const config = configOf(server, { headers: { authorization: 'Bearer ${env:KEY}' } });
    const view = await servers.attach('one', config);
    expect(view).toMatchObject({ state: 'failed' });
    expect(view.message).toContain('It refused the Authorization header of its config entry (HTTP 401).');
    expect(view.signIn).toBeUndefined();
    expect(new Set(server.requests)).toEqual(new Set(['POST /mcp']));
  });
});

describe('a sign-in that ends', () => {
  it('is renewed before it does, once for all calls that wait', async () => {
    const server = await startSignInServer({ expiresIn: 3600 });
    const servers = await signedIn(server);
    laterBy(3590);
    await Promise.all(Array.from({ length: 8 }, () => call(servers, 'read')));
    expect(server.count('POST /token refresh_token')).toBe(1);
    expect(server.accessTokens.size).toBe(2);
  });

  it('is renewed once for all calls that were refused', async () => {
    const server = await startSignInServer();
    const servers = await signedIn(server);
    server.accessTokens.clear();
    const results = await Promise.all(Array.from({ length: 8 }, () => call(servers, 'read')));
    expect(results.every(({ isError }) => !isError)).toBe(true);
    expect(server.count('POST /token refresh_token')).toBe(1);
  });

  it('is renewed once by two programs on the same data folder', async () => {
    const server = await startSignInServer();
    const [home, runDir] = [temporaryFolder(), temporaryFolder()];
    const first = await signedIn(server, { secrets: createSecretStore(home), runDir });
    const { servers: second } = openServers(undefined, { secrets: createSecretStore(home), runDir });
    await second.attach('one', configOf(server));
    server.accessTokens.clear();
    // A refresh token that is used twice costs the whole sign-in.
    const results = await Promise.all([call(first, 'read'), call(second, 'read'), call(first, 'read')]);
    expect(results.every(({ isError }) => !isError)).toBe(true);
    expect(server.count('POST /token refresh_token')).toBe(1);
  });

  it('is asked for again when it was revoked', async () => {
    const server = await startSignInServer();
    const servers = await signedIn(server);
    server.accessTokens.clear();
    server.refreshTokens.clear();
    await expect(call(servers, 'read')).rejects.toThrow('it was revoked or is too old');
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'needs-sign-in', signIn: 'needed' });
    expect(await signIn(servers)).toMatchObject({ state: 'ready' });
  });

  it('stays when the authorization server only has trouble of its own', async () => {
    const server = await startSignInServer();
    const servers = await signedIn(server);
    server.accessTokens.clear();
    server.failings.tokenAnswer = { status: 503, body: 'down' };
    await expect(call(servers, 'read')).rejects.toMatchObject({ code: 'unavailable' });
    expect(viewOf(servers, 'one').signIn).toBe('done');
    server.failings.tokenAnswer = undefined;
    expect((await call(servers, 'read')).isError).toBe(false);
  });

  it('is used as long as it is good when it can not be renewed in time', async () => {
    const server = await startSignInServer({ expiresIn: 3600 });
    const servers = await signedIn(server);
    laterBy(3590);
    server.failings.tokenAnswer = { status: 503, body: 'down' };
    for (let calls = 0; calls < 3; calls += 1) expect((await call(servers, 'read')).isError).toBe(false);
    // Trouble is not asked for with every call.
    expect(server.count('POST /token refresh_token')).toBe(1);
    laterBy(20);
    await expect(call(servers, 'read')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is not renewed with every call when tokens live for seconds only', async () => {
    const server = await startSignInServer({ expiresIn: 30 });
    const servers = await signedIn(server);
    for (let calls = 0; calls < 3; calls += 1) await call(servers, 'read');
    expect(server.count('POST /token refresh_token')).toBe(0);
  });

  it('is noticed by another program on the same data folder, whose server then starts by itself', async () => {
    const server = await startSignInServer();
    const [home, runDir] = [temporaryFolder(), temporaryFolder()];
    const { servers } = openServers(undefined, { secrets: createSecretStore(home), runDir });
    expect(await servers.attach('one', configOf(server))).toMatchObject({ state: 'needs-sign-in' });
    await signedIn(server, { secrets: createSecretStore(home), runDir });
    await waitFor(() => viewOf(servers, 'one').state === 'ready');
    expect((await call(servers, 'read')).isError).toBe(false);
  });

  it('is ended when its server is removed', async () => {
    const server = await startSignInServer();
    const servers = await signedIn(server);
    await servers.remove('one');
    expect(server.accessTokens.size + server.refreshTokens.size).toBe(0);
    expect(await servers.attach('one', configOf(server))).toMatchObject({ state: 'needs-sign-in' });
  });

  it('is ended by the person: forgotten here, revoked there', async () => {
    const server = await startSignInServer();
    const home = temporaryFolder();
    const servers = await signedIn(server, { secrets: createSecretStore(home) });
    expect(await servers.signOut('one')).toEqual({ revoked: true });
    expect(server.accessTokens.size + server.refreshTokens.size).toBe(0);
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'needs-sign-in', message: 'You are signed out of it.' });
    expect(readFileSync(path.join(home, 'secrets.json'), 'utf8')).toBe('{}');
  });
});

describe('a call that needs more permissions', () => {
  it('leaves the server as it is, and goes through when the person allows them', async () => {
    const server = await startSignInServer();
    const servers = await signedIn(server);
    await expect(call(servers, 'admin')).rejects.toThrow(
      'It wants more permissions for what it was asked to do: admin.',
    );
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'ready', signIn: 'more' });
    expect((await call(servers, 'read')).isError).toBe(false);
    expect(await signIn(servers)).toMatchObject({ state: 'ready', signIn: 'done' });
    expect((await call(servers, 'admin')).isError).toBe(false);
    // What was given before is asked for too.
    expect([...server.accessTokens.values()].at(-1)?.scope.split(' ').sort()).toEqual(['admin', 'read']);
  });
});

describe('a client that was registered by hand', () => {
  it('signs in with its id and secret, written as any of the usual apps has it', async () => {
    for (const entry of [
      { oauth: { clientId: 'mine', clientSecret: '${env:SECRET}', callbackPort: 43_117 } },
      { auth: { CLIENT_ID: 'mine', CLIENT_SECRET: '${env:SECRET}' }, oauth: { callbackPort: 43_117 } },
    ]) {
      const server = await startSignInServer({ noRegistration: true });
      server.clients.set('mine', { redirects: ['http://localhost:43117/callback'], secret: 'shared' });
      const { servers } = openServers(undefined, { env: { SECRET: 'shared' } });
      await servers.attach('one', configOf(server, entry));
      expect(await signIn(servers)).toMatchObject({ state: 'ready' });
    }
  });

  it('is wanted, in words, where clients can not register themselves', async () => {
    const server = await startSignInServer({ noRegistration: true });
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    expect(await failedSignIn(servers)).toMatchObject({
      message: 'The authorization server registers no clients by itself.',
      hint: expect.stringContaining('"clientId"'),
    });
  });

  it('is shown to the authorization server that it is for, and to no other that the server names later', async () => {
    const [server, other] = [await startSignInServer(), await startSignInServer()];
    server.clients.set('mine', { redirects: ['http://localhost:43118/callback'], secret: 'shared' });
    const { servers } = openServers();
    const oauth = { clientId: 'mine', clientSecret: 'shared', callbackPort: 43_118 };
    await servers.attach('one', configOf(server, { oauth }));
    await signIn(servers);
    server.failings.resource = { authorization_servers: [other.origin] };
    expect(await failedSignIn(servers)).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('its client in the config is for'),
    });
    expect(other.seen.join()).not.toContain('shared');
  });

  it('signs in by itself when the entry wants client credentials', async () => {
    const server = await startSignInServer();
    server.clients.set('robot', { redirects: [], secret: 'shared' });
    const { servers } = openServers();
    const oauth = { clientId: 'robot', clientSecret: 'shared', grantType: 'client_credentials' };
    expect(await servers.attach('one', configOf(server, { oauth }))).toMatchObject({ state: 'ready' });
    expect(server.count('POST /token client_credentials')).toBe(1);
  });

  it('is explained when the entry is not right', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    const view = await servers.attach('one', configOf(server, { oauth: { callbackPort: 'x' } }));
    expect(view).toMatchObject({ state: 'failed', message: expect.stringContaining('"callbackPort"') });
  });
});

describe('a server of the older transport, SSE', () => {
  it('is signed in to, and asked for more permissions, in the same way', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    const config = { ...configOf(server), url: server.sseUrl, type: 'sse' as const };
    expect(await servers.attach('one', config)).toMatchObject({ state: 'needs-sign-in' });
    expect(await signIn(servers)).toMatchObject({ state: 'ready', transport: 'sse' });
    expect((await call(servers, 'read')).isError).toBe(false);
    server.accessTokens.clear();
    expect((await call(servers, 'read')).isError).toBe(false);
    await expect(call(servers, 'admin')).rejects.toThrow('It wants more permissions');
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'ready', signIn: 'more' });
  });
});

describe('a sign-in that waits', () => {
  it('is ended by the person, and listens no longer', async () => {
    const server = await startSignInServer();
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    const { url, done } = await servers.signIn('one');
    servers.cancelSignIn('one');
    await expect(done).rejects.toMatchObject({ code: 'cancelled' });
    const back = new URL(url).searchParams.get('redirect_uri') ?? '';
    await waitFor(() =>
      fetch(back).then(
        () => false,
        () => true,
      ),
    );
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'needs-sign-in', signIn: 'needed' });
  });

  it('ends by itself when nobody comes', async () => {
    const server = await startSignInServer();
    const { servers } = openServers(undefined, { limits: { signInMs: 400 } });
    await servers.attach('one', configOf(server));
    const { done } = await servers.signIn('one');
    await expect(done).rejects.toMatchObject({ code: 'timeout' });
  });

  it('ends with the program', async () => {
    const server = await startSignInServer();
    const servers = createServers({
      configPath: path.join(temporaryFolder(), 'mcp.json'),
      runDir: temporaryFolder(),
      clientInfo: { name: 'causeway-test', version: '1' },
      env: {},
    });
    await servers.attach('one', configOf(server));
    const { done } = await servers.signIn('one');
    const ended = expect(done).rejects.toMatchObject({ code: 'cancelled' });
    await servers[Symbol.asyncDispose]();
    await ended;
  });
});
