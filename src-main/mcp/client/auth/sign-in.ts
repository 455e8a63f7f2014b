import { randomBytes } from 'node:crypto';
import {
  auth,
  exchangeAuthorization,
  OAuthError,
  RegistrationRejectedError,
  validateAuthorizationResponseIssuer,
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { CausewayError } from '../../../../src-shared/index.ts';
import { checkAddress } from './addresses.ts';
import { listenForCallback, type CallbackListener } from './callback.ts';
import { discover, type Challenge, type Discovered } from './discover.ts';
import { makeGrant } from './grant.ts';
import type { SignInSettings } from './settings.ts';
import type { Grant, KnownClient } from './vault.ts';

/** How we introduce ourselves to an authorization server that does not know us. */
const CLIENT_NAME = 'Causeway';

export interface SignInRequest {
  server: URL;
  settings: SignInSettings;
  /** What an earlier sign-in left. */
  former: Grant | undefined;
  challenge: Challenge;
  /** What to ask for; the server's own list when undefined. */
  scope: string | undefined;
  fetchFn: FetchLike;
  /** Ends the waiting. */
  signal: AbortSignal;
}

/** A sign-in that waits for the person. */
export interface PendingSignIn {
  /** Where the person signs in: https, or this machine when the server is on it too. */
  readonly url: string;
  readonly done: Promise<Grant>;
}

/** A request to an authorization server, and what belongs to its answer. */
interface Asked {
  url: URL;
  verifier: string;
  scope: string | undefined;
  client: KnownClient;
}

/**
 * Begins to sign in: finds the authorization server, makes us known to it where needed, and waits on this machine for the
 * browser. Opens no browser itself.
 * @throws CausewayError, or the SDK's own errors; nothing listens any more then.
 */
export async function beginSignIn(request: SignInRequest): Promise<PendingSignIn> {
  const { server, settings, signal } = request;
  const discovered = await discover(server, request);
  checkProofKeys(discovered);
  const state = randomBytes(32).toString('base64url');
  const listener = await listen(state, request, discovered);
  try {
    const asked = await ask(state, listener.redirectUrl, request, discovered);
    checkAddress(asked.url, server);
    return { url: asked.url.href, done: finish(listener, asked) };
  } catch (error) {
    listener[Symbol.dispose]();
    throw error instanceof RegistrationRejectedError && !discovered.metadata ? nowhereToSignIn(error) : error;
  }

  async function finish(current: CallbackListener, asked: Asked): Promise<Grant> {
    const stop = (): void => current[Symbol.dispose]();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const { params, answer } = await current.callback;
      try {
        const tokens = await redeem(params, current.redirectUrl, asked, request, discovered);
        const client = settings.clientId === undefined ? asked.client : undefined;
        const grant = makeGrant({ discovered, client, redirectUrl: current.redirectUrl, tokens, asked: asked.scope });
        answer('done');
        return grant;
      } catch (error) {
        answer('failed');
        throw error;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }
}

/** Servers that want a key answer in the same way as those that want a sign-in. */
function nowhereToSignIn(cause: unknown): CausewayError {
  return new CausewayError('protocol', 'It refuses us (HTTP 401), and does not say where to sign in.', {
    hint: 'It may want a key: put it under "headers" in the config entry, as its README says.',
    cause,
  });
}

/** MCP, "Authorization Code Protection": who does not say that it knows proof keys is not asked. */
function checkProofKeys({ metadata }: Discovered): void {
  if (!metadata || metadata.code_challenge_methods_supported?.includes('S256')) return;
  throw new CausewayError('refused', 'Its authorization server does not say that it protects sign-ins (PKCE, S256).', {
    hint: 'Ask whoever runs the server; signing in to it is not safe as it is.',
  });
}

/** Where a registered client was said to come back to, or a free port. */
async function listen(
  state: string,
  { settings, former }: SignInRequest,
  { issuer }: Discovered,
): Promise<CallbackListener> {
  if (settings.redirectUrl) return listenForCallback(state, settings.redirectUrl);
  if (former?.client && former.redirectUrl !== undefined && former.issuer === issuer) {
    try {
      return await listenForCallback(state, new URL(former.redirectUrl));
    } catch {
      // Another program has the port now: a new one, and a new registration.
    }
  }
  return listenForCallback(state);
}

async function ask(
  state: string,
  redirectUrl: string,
  { server, settings, former, scope, challenge, fetchFn }: SignInRequest,
  discovered: Discovered,
): Promise<Asked> {
  const { clientId, clientSecret, clientMetadataUrl } = settings;
  let url: URL | undefined;
  let verifier = '';
  let client: KnownClient | undefined =
    clientId !== undefined
      ? {
          client_id: clientId,
          ...(clientSecret !== undefined && { client_secret: clientSecret }),
          issuer: discovered.issuer,
        }
      : former?.redirectUrl === redirectUrl && former.issuer === discovered.issuer
        ? former.client
        : undefined;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: describeClient(redirectUrl, discovered),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    state: () => state,
    discoveryState: () => discovered.state,
    clientInformation: () => client,
    saveClientInformation(known) {
      client = known;
    },
    // Whoever signs in wants a new grant, not the old one renewed.
    tokens: () => undefined,
    saveTokens: () => undefined,
    saveCodeVerifier(text) {
      verifier = text;
    },
    codeVerifier: () => verifier,
    redirectToAuthorization(address) {
      url = address;
    },
  };
  const { resourceMetadataUrl } = challenge;
  await auth(provider, {
    serverUrl: server,
    fetchFn,
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  });
  if (!url || !client) throw new CausewayError('internal', 'Signing in came to no address.');
  return { url, verifier, client, scope: url.searchParams.get('scope') ?? undefined };
}

function describeClient(redirectUrl: string, { metadata }: Discovered): OAuthClientMetadata {
  const methods = metadata?.token_endpoint_auth_methods_supported;
  const method =
    !methods || methods.includes('none') ? 'none' : methods.find((name) => name.startsWith('client_secret_'));
  return {
    client_name: CLIENT_NAME,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method ?? 'none',
    application_type: 'native',
  };
}

async function redeem(
  params: URLSearchParams,
  redirectUri: string,
  { verifier, client }: Asked,
  { fetchFn }: SignInRequest,
  { state, metadata, resource }: Discovered,
): ReturnType<typeof exchangeAuthorization> {
  const iss = params.get('iss') ?? undefined;
  const code = params.get('code');
  if (code === null) {
    // Whose words they are has to be known before they are shown.
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const error = params.get('error') ?? '';
    if (error === 'access_denied') throw new CausewayError('cancelled', 'Signing in was declined in the browser.');
    throw new OAuthError(error, params.get('error_description') ?? error);
  }
  return exchangeAuthorization(state.authorizationServerUrl, {
    ...(metadata && { metadata }),
    clientInformation: client,
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier: verifier,
    redirectUri,
    ...(resource !== undefined && { resource }),
    fetchFn,
  });
}
