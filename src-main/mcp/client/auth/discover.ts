import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  resourceUrlFromServerUrl,
  type AuthorizationServerMetadata,
  type FetchLike,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { CausewayError } from '../../../../src-shared/index.ts';
import { checkAddress } from './addresses.ts';
import type { SignInSettings } from './settings.ts';
import type { Grant } from './vault.ts';
import { quote } from './words.ts';

/** What a server said when it refused a request. */
export interface Challenge {
  scope?: string | undefined;
  resourceMetadataUrl?: URL | undefined;
}

/** Who signs people in to a server, checked. */
export interface Discovered {
  state: OAuthDiscoveryState;
  metadata: AuthorizationServerMetadata | undefined;
  issuer: string;
  /** The server, as the authorization server knows it. */
  resource: string | undefined;
  scopesSupported: string[] | undefined;
}

/**
 * Finds the authorization server of a server, anew each time: it may have moved.
 * @throws CausewayError `refused` when it is not to be trusted; the SDK's own errors.
 */
export async function discover(
  server: URL,
  {
    challenge,
    settings,
    former,
    fetchFn,
  }: { challenge: Challenge; settings: SignInSettings; former: Grant | undefined; fetchFn: FetchLike },
): Promise<Discovered> {
  const { resourceMetadataUrl } = challenge;
  const found = await discoverOAuthServerInfo(server, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    fetchFn,
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  checkAddress(authorizationServerUrl, server);
  const issuer = metadata?.issuer ?? authorizationServerUrl;
  checkIssuer(issuer, settings, former);
  if (
    resourceMetadata &&
    !checkResourceAllowed({
      requestedResource: resourceUrlFromServerUrl(server),
      configuredResource: resourceMetadata.resource,
    })
  ) {
    throw new CausewayError(
      'refused',
      `It wants a sign-in that is for another server: ${quote(resourceMetadata.resource)}.`,
    );
  }
  if (metadata) {
    checkAddress(metadata.authorization_endpoint, server);
    checkAddress(metadata.token_endpoint, server);
  }
  return {
    state: { ...found, ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }) },
    metadata,
    issuer,
    resource: resourceMetadata?.resource,
    scopesSupported: resourceMetadata?.scopes_supported,
  };
}

/** A client that the person registered is shown to one authorization server only, whatever the MCP server says later. */
function checkIssuer(issuer: string, settings: SignInSettings, former: Grant | undefined): void {
  const expected = settings.issuer ?? (settings.clientId === undefined ? undefined : former?.issuer);
  if (expected === undefined || withoutSlash(expected) === withoutSlash(issuer)) return;
  throw new CausewayError(
    'refused',
    `It now wants a sign-in at ${quote(issuer)}, and its client in the config is for ${quote(expected)}.`,
    { hint: 'If that is right, sign out first, or name the new "issuer" under "oauth" in the config entry.' },
  );
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '');
}
