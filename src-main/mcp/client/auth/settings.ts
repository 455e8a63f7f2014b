import { z } from 'zod';
import { CausewayError, describeIssues, type HttpServerConfig } from '../../../../src-shared/index.ts';

/** What a config entry says of signing in, references expanded. Nothing of it is needed for most servers. */
export interface SignInSettings {
  /** A client that was registered by hand. */
  clientId?: string;
  clientSecret?: string;
  /** Signs in as the client itself, without a person. */
  machine: boolean;
  /** PKCS#8, for a client that signs what it says of itself. */
  privateKey?: string;
  algorithm: string;
  /** Where our client metadata document is published. */
  clientMetadataUrl?: string;
  /** The only authorization server to trust. */
  issuer?: string;
  scope?: string;
  /** Loopback address that the browser comes back to; a free port when undefined. */
  redirectUrl?: URL;
}

const text = z.string().min(1);
const scopes = z.union([z.string(), z.array(text).transform((list) => list.join(' '))]);

/** As Claude Code, Gemini CLI, opencode and VS Code write it. */
const oauthEntry = z.looseObject({
  enabled: z.boolean().optional(),
  clientId: text.optional(),
  clientSecret: text.optional(),
  grantType: z.enum(['authorization_code', 'client_credentials']).optional(),
  privateKey: text.optional(),
  algorithm: text.optional(),
  clientMetadataUrl: z.url({ protocol: /^https$/ }).optional(),
  issuer: z.url().optional(),
  scope: scopes.optional(),
  scopes: scopes.optional(),
  callbackPort: z.number().int().min(1).max(65_535).optional(),
  redirectUri: z
    .url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/, error: 'expected a loopback http address' })
    .optional(),
});
/** As Cursor writes it. */
const authEntry = z.looseObject({ CLIENT_ID: text, CLIENT_SECRET: text.optional(), scopes: scopes.optional() });

/**
 * @returns undefined when the entry brings its own Authorization header, or wants no signing in (`"oauth": false`).
 * @throws CausewayError `bad_input` when what it says can not be understood.
 */
export function readSignInSettings(
  config: HttpServerConfig,
  expand: (text: string) => string,
): SignInSettings | undefined {
  if (hasOwnAuthorization(config) || config['oauth'] === false) return undefined;
  const oauth = check(oauthEntry, config['oauth'] ?? {}, 'oauth');
  if (oauth.enabled === false) return undefined;
  const auth = config['auth'] === undefined ? undefined : check(authEntry, config['auth'], 'auth');
  const clientId = oauth.clientId ?? auth?.CLIENT_ID;
  const machine = oauth.grantType === 'client_credentials';
  if (machine && (clientId === undefined || (oauth.clientSecret ?? oauth.privateKey) === undefined)) {
    throw new CausewayError('bad_input', 'Client credentials need a "clientId", and a "clientSecret" or "privateKey".');
  }
  const written = {
    clientId,
    clientSecret: oauth.clientSecret ?? auth?.CLIENT_SECRET,
    privateKey: oauth.privateKey,
    clientMetadataUrl: oauth.clientMetadataUrl,
    issuer: oauth.issuer,
    scope: oauth.scope ?? oauth.scopes ?? auth?.scopes,
  };
  const expanded: Partial<Record<keyof typeof written, string>> = {};
  for (const key of ['clientId', 'clientSecret', 'privateKey', 'clientMetadataUrl', 'issuer', 'scope'] as const) {
    const value = written[key];
    if (value) expanded[key] = expand(value);
  }
  const redirect = oauth.redirectUri ?? (oauth.callbackPort && `http://localhost:${oauth.callbackPort}/callback`);
  return {
    ...expanded,
    machine,
    algorithm: oauth.algorithm ?? 'RS256',
    ...(redirect && { redirectUrl: new URL(redirect) }),
  };
}

export function hasOwnAuthorization(config: HttpServerConfig): boolean {
  return Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization');
}

function check<T>(schema: z.ZodType<T>, value: unknown, key: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CausewayError('bad_input', `"${key}" of its config entry is not right: ${describeIssues(parsed.error)}.`);
}
