import {
  refreshAuthorization,
  selectClientAuthMethod,
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import type { Discovered } from './discover.ts';
import type { SignInSettings } from './settings.ts';
import type { Grant, KnownClient } from './vault.ts';

/** An access token is renewed when it has less left than this, in milliseconds, and than a tenth of its life. */
const SPARE_MS = 60_000;

/** What is kept of a sign-in. */
export function makeGrant({
  discovered,
  client,
  redirectUrl,
  tokens,
  asked,
}: {
  discovered: Discovered;
  /** Undefined for one that stands in the config. */
  client: KnownClient | undefined;
  redirectUrl: string;
  tokens: OAuthTokens;
  /** The scope that was asked for: what was given when the answer names none. */
  asked: string | undefined;
}): Grant {
  const { state, metadata, issuer, resource } = discovered;
  return {
    ...(client && { client, redirectUrl }),
    ...keepTokens(tokens, asked),
    issuer,
    authorizationServerUrl: state.authorizationServerUrl,
    ...(metadata && { authorizationServer: { ...metadata, revocation_endpoint: revocationEndpoint(metadata) } }),
    ...(resource !== undefined && { resource }),
  };
}

/** OpenID Connect's metadata has no such field of its own, and servers send it all the same. */
function revocationEndpoint(metadata: AuthorizationServerMetadata): string | undefined {
  const endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  return typeof endpoint === 'string' ? endpoint : undefined;
}

export function keepTokens(
  { access_token, token_type, refresh_token, scope, expires_in }: OAuthTokens,
  asked: string | undefined,
): Pick<Grant, 'tokens' | 'expiresAt' | 'lifeMs'> {
  const lifeMs = expires_in === undefined ? undefined : expires_in * 1000;
  return {
    tokens: { access_token, token_type, refresh_token, scope: scope ?? asked },
    expiresAt: lifeMs === undefined ? undefined : Date.now() + lifeMs,
    lifeMs,
  };
}

export function endsSoon({ expiresAt, lifeMs = Infinity }: Pick<Grant, 'expiresAt' | 'lifeMs'>): boolean {
  return expiresAt !== undefined && Date.now() > expiresAt - Math.min(SPARE_MS, lifeMs / 10);
}

export function hasEnded({ expiresAt }: Pick<Grant, 'expiresAt'>): boolean {
  return expiresAt !== undefined && Date.now() > expiresAt;
}

/** The client that a grant was given to: from the config, or one that was registered. */
export function clientOf(grant: Grant, { clientId, clientSecret }: SignInSettings): KnownClient | undefined {
  if (clientId === undefined) return grant.client;
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}

/** @throws the SDK's own errors, OAuthError among them; undefined when there is nothing to renew with. */
export async function renewGrant(
  grant: Grant,
  { settings, fetchFn }: { settings: SignInSettings; fetchFn: FetchLike },
): Promise<Grant | undefined> {
  const client = clientOf(grant, settings);
  const refreshToken = grant.tokens?.refresh_token;
  if (!client || refreshToken === undefined || grant.authorizationServerUrl === undefined) return undefined;
  const tokens = await refreshAuthorization(grant.authorizationServerUrl, {
    ...(grant.authorizationServer && { metadata: grant.authorizationServer }),
    clientInformation: client,
    refreshToken,
    ...(grant.resource !== undefined && { resource: grant.resource }),
    fetchFn,
  });
  return { ...grant, ...keepTokens(tokens, grant.tokens?.scope) };
}

/** Tells the authorization server that the tokens are not needed any more (RFC 7009). True when it agreed. */
export async function revokeGrant(
  grant: Grant,
  { settings, fetchFn }: { settings: SignInSettings; fetchFn: FetchLike },
): Promise<boolean> {
  const endpoint = grant.authorizationServer?.revocation_endpoint;
  const client = clientOf(grant, settings);
  if (endpoint === undefined || !client || !grant.tokens) return false;
  const { access_token, refresh_token } = grant.tokens;
  // Most end what a refresh token gave with it; those that do not are told of both.
  const tokens = [
    ...(refresh_token === undefined ? [] : [{ token: refresh_token, token_type_hint: 'refresh_token' }]),
    { token: access_token, token_type_hint: 'access_token' },
  ];
  try {
    for (const token of tokens) {
      const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' });
      const body = new URLSearchParams(token);
      identify(client, grant, headers, body);
      const { ok } = await fetchFn(endpoint, { method: 'POST', headers, body });
      if (!ok) return false;
    }
    return true;
  } catch {
    return false;
  }
}

function identify(client: KnownClient, grant: Grant, headers: Headers, body: URLSearchParams): void {
  const { client_id: id, client_secret: secret = '' } = client;
  const method = selectClientAuthMethod(client, grant.authorizationServer?.token_endpoint_auth_methods_supported ?? []);
  if (method === 'client_secret_basic') {
    headers.set(
      'Authorization',
      `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    );
    return;
  }
  body.set('client_id', id);
  if (method === 'client_secret_post') body.set('client_secret', secret);
}
