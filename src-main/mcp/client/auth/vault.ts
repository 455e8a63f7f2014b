import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { withFileLock } from '../../../platform/index.ts';
import type { SecretStore } from '../../../store/index.ts';

/** Writing takes no longer, in milliseconds; renewing may wait for a slow authorization server. */
const WRITE_MS = 5_000;
const RENEW_MS = 60_000;

const client = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.number().optional(),
  token_endpoint_auth_method: z.string().optional(),
  /** Who knows this client. */
  issuer: z.string().optional(),
});
const tokens = z.object({
  access_token: z.string(),
  token_type: z.string(),
  refresh_token: z.string().optional(),
  scope: z.string().optional(),
});
/** The parts of its metadata that renewing and signing out need. */
const authorizationServer = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  response_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  revocation_endpoint: z.string().optional(),
});
const grant = z.object({
  /** A client that was registered for this server by itself, and the address the browser comes back to. */
  client: client.optional(),
  redirectUrl: z.string().optional(),
  tokens: tokens.optional(),
  /** When the access token ends, in milliseconds; undefined when nobody said. */
  expiresAt: z.number().optional(),
  /** How long it lives as a whole, in milliseconds. */
  lifeMs: z.number().optional(),
  /** Which authorization server gave it: nobody else is shown what it gave. */
  issuer: z.string().optional(),
  authorizationServerUrl: z.string().optional(),
  authorizationServer: authorizationServer.optional(),
  /** The server, as the authorization server knows it. */
  resource: z.string().optional(),
});

/** What signing in to one server brought. */
export type Grant = z.infer<typeof grant>;
export type KnownClient = z.infer<typeof client>;

/** Where the grant of one server is kept: encrypted, shared by every Causeway on the data folder. */
export interface Vault {
  /** Undefined when there is none, or none that can be read. */
  read(): Grant | undefined;
  write(next: Grant | undefined): Promise<void>;
  /** Renews for all who wait: nobody else does meanwhile, in any process. */
  whileAlone<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * @param server its name and address: an entry that is given another address starts anew, so that no token goes to a place
 * that it is not for.
 */
export function openVault(
  server: { name: string; url: URL },
  { secrets, runDir }: { secrets: SecretStore; runDir: string },
): Vault {
  const identity = JSON.stringify([server.name, server.url.href]);
  const id = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  const name = `mcp.oauth.${id}`;
  const locks = path.join(runDir, 'sign-ins');
  return {
    read() {
      try {
        const text = secrets.get(name);
        return text === undefined ? undefined : grant.parse(JSON.parse(text));
      } catch {
        return undefined;
      }
    },
    // All secrets are one file: two that are written at once would lose one.
    write: (next) =>
      withFileLock(
        path.join(locks, 'writing.lock'),
        async () => secrets.set(name, next === undefined ? null : JSON.stringify(grant.parse(next))),
        { deadlineMs: WRITE_MS },
      ),
    whileAlone: (work) => withFileLock(path.join(locks, `${id}.lock`), work, { deadlineMs: RENEW_MS }),
  };
}
