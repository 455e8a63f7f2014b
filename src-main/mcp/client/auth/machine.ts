import {
  createPrivateKeyJwtAuth,
  fetchToken,
  type FetchLike,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { discover, type Challenge } from './discover.ts';
import { keepTokens } from './grant.ts';
import type { SignInSettings } from './settings.ts';
import type { Grant } from './vault.ts';

/**
 * Signs in as the client itself (client credentials): no person, nothing to keep, asked again whenever it ends.
 * @throws CausewayError, or the SDK's own errors.
 */
export async function signInAsClient({
  server,
  settings,
  challenge,
  former,
  fetchFn,
}: {
  server: URL;
  settings: SignInSettings;
  challenge: Challenge;
  former: Grant | undefined;
  fetchFn: FetchLike;
}): Promise<Grant> {
  const { clientId = '', clientSecret, privateKey, algorithm } = settings;
  const { state, metadata, issuer, resource, scopesSupported } = await discover(server, {
    challenge,
    settings,
    former,
    fetchFn,
  });
  const scope = challenge.scope ?? settings.scope ?? scopesSupported?.join(' ');
  const provider: OAuthClientProvider = {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [], grant_types: ['client_credentials'] },
    clientInformation: () => ({
      client_id: clientId,
      issuer,
      ...(privateKey === undefined && clientSecret !== undefined && { client_secret: clientSecret }),
    }),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
    prepareTokenRequest: (wanted) =>
      new URLSearchParams({ grant_type: 'client_credentials', ...(wanted !== undefined && { scope: wanted }) }),
    ...(privateKey !== undefined && {
      addClientAuthentication: createPrivateKeyJwtAuth({
        issuer: clientId,
        subject: clientId,
        privateKey,
        alg: algorithm,
      }),
    }),
  };
  const tokens = await fetchToken(provider, state.authorizationServerUrl, {
    ...(metadata && { metadata }),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
    fetchFn,
  });
  return { ...keepTokens(tokens, scope), issuer };
}
