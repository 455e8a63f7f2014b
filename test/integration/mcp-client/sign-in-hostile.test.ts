import { describe, expect, it } from 'vitest';
import { startSignInServer, type SignInServer } from '../../fixtures/sign-in-server.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { openServers, viewOf } from './setup.ts';
import { configOf, failedSignIn } from './sign-in-setup.ts';

describe('an authorization server that is not to be trusted', () => {
  const cases: [string, (server: SignInServer) => void, string | RegExp][] = [
    [
      'is somebody else than it says',
      (server) => (server.failings.metadata = { issuer: 'https://else.example' }),
      /another authorization server/,
    ],
    [
      'answers in the name of another',
      (server) => (server.failings.callback = { code: 'x', iss: 'https://else.example' }),
      /another authorization server/,
    ],
    [
      'does not say who answers, having promised to',
      (server) => (server.failings.callback = { code: 'x' }),
      /another authorization server/,
    ],
    [
      'protects no codes',
      (server) => (server.failings.metadata = { code_challenge_methods_supported: ['plain'] }),
      /PKCE/,
    ],
    [
      'has its tokens sent to a plain address',
      (server) => (server.failings.metadata = { token_endpoint: 'http://else.example/token' }),
      'it is not https',
    ],
    [
      'sends the browser to a plain address',
      (server) => (server.failings.metadata = { authorization_endpoint: 'http://else.example/authorize' }),
      'it is not https',
    ],
    [
      'points to where clouds keep keys',
      (server) => (server.failings.resourceMetadataUrl = 'http://169.254.169.254/latest'),
      'it is not https',
    ],
    [
      'signs in for another server',
      (server) => (server.failings.resource = { resource: 'https://else.example/mcp' }),
      'for another server',
    ],
    [
      'says no',
      (server) => (server.failings.callback = { error: 'access_denied', iss: server.origin }),
      'declined in the browser',
    ],
  ];
  it.each(cases)('%s: nobody is signed in, and the reason is told', async (_title, fail, words) => {
    const server = await startSignInServer();
    fail(server);
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    const error = await failedSignIn(servers);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(words);
    await waitFor(() => viewOf(servers, 'one').signIn === 'needed');
    expect(server.count('POST /token authorization_code')).toBe(0);
    expect(viewOf(servers, 'one').state).toBe('needs-sign-in');
  });
});

describe('an authorization server that is slow', () => {
  it('is waited for once, not once for each of its documents', async () => {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const server = await startSignInServer({ metadataDelay: late });
    const { servers } = openServers(undefined, { limits: { signInAnswerMs: 300 } });
    await servers.attach('one', configOf(server));
    expect(await failedSignIn(servers)).toMatchObject({ code: 'timeout' });
    expect(server.requests.filter((request) => request.includes('.well-known'))).toHaveLength(1);
    resolve(undefined);
  });
});

describe('a server that wants a key', () => {
  it('is told from one that wants a sign-in when the person tries to sign in', async () => {
    const server = await startSignInServer({ keysOnly: true });
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    expect(await failedSignIn(servers)).toMatchObject({
      message: 'It refuses us (HTTP 401), and does not say where to sign in.',
      hint: expect.stringContaining('"headers"'),
    });
  });
});

describe('an authorization server that redirects', () => {
  it('leads nowhere else: what it points to is never asked', async () => {
    const [server, other] = [await startSignInServer(), await startSignInServer()];
    server.failings.redirectMetadata = `${other.origin}/.well-known/oauth-authorization-server`;
    const { servers } = openServers();
    await servers.attach('one', configOf(server));
    await failedSignIn(servers);
    expect(other.requests).toEqual([]);
  });
});
