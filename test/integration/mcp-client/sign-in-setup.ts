import type { Servers, ServersOptions } from '../../../src-main/mcp/client/index.ts';
import type { HttpServerConfig, ServerView } from '../../../src-shared/index.ts';
import { browseTo } from '../../fixtures/person-browser.ts';
import type { SignInServer } from '../../fixtures/sign-in-server.ts';
import { openServers, viewOf } from './setup.ts';

export function configOf(server: SignInServer, more: Record<string, unknown> = {}): HttpServerConfig {
  return { url: server.mcpUrl, headers: {}, disabled: false, ...more };
}

/** A server that was attached, and that the person has signed in to. */
export async function signedIn(server: SignInServer, options: Partial<ServersOptions> = {}): Promise<Servers> {
  const { servers } = openServers(undefined, options);
  await servers.attach('one', configOf(server));
  await signIn(servers);
  return servers;
}

export async function signIn(servers: Servers): Promise<ServerView> {
  const { url, done } = await servers.signIn('one');
  await Promise.all([browseTo(url), done]);
  return viewOf(servers, 'one');
}

/** What the person reads when signing in does not work; the page that the browser ends at is of no concern. */
export async function failedSignIn(servers: Servers): Promise<unknown> {
  try {
    const { url, done } = await servers.signIn('one');
    const [ended] = await Promise.all([done.catch((error: unknown) => error), browseTo(url)]);
    return ended;
  } catch (error) {
    return error;
  }
}
