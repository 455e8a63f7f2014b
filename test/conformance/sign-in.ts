import type { Servers } from '../../src-main/mcp/client/index.ts';
import type { ServerView } from '../../src-shared/index.ts';
import { browseTo } from '../fixtures/person-browser.ts';
import type { ScenarioFacts } from './scenarios.ts';

/** How often a person signs in when it does not help. */
const MOST_SIGN_INS = 3;

/** Nobody reads it: the suite only compares it. */
export const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** What a person would write into the config entry who was given this client. */
export function oauthEntry(facts: ScenarioFacts): { oauth?: Record<string, string> } {
  const { client_id: clientId, client_secret, private_key_pem, signing_algorithm } = facts;
  if (clientId === undefined) return {};
  const machine = process.env['MCP_CONFORMANCE_SCENARIO']?.startsWith('auth/client-credentials') === true;
  return {
    oauth: {
      clientId,
      ...(client_secret !== undefined && { clientSecret: client_secret }),
      ...(private_key_pem !== undefined && { privateKey: private_key_pem }),
      ...(signing_algorithm !== undefined && { algorithm: signing_algorithm }),
      ...(machine && { grantType: 'client_credentials' }),
    },
  };
}

/** Presses "Sign in" as long as there is such a button, but not for ever. @throws what the person would read */
export async function signInAsPerson(servers: Servers, name: string): Promise<ServerView> {
  for (let tries = 1; ; tries += 1) {
    const { url, done } = await servers.signIn(name);
    await Promise.all([browseTo(url), done]);
    const view = servers.list().find((server) => server.name === name);
    if (!view) throw new Error(`No server ${name}`);
    if (view.state !== 'needs-sign-in' || tries === MOST_SIGN_INS) return view;
  }
}
