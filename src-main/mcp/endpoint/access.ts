import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { localhostHostValidation, localhostOriginValidation } from '@modelcontextprotocol/node';
import type { Authenticate } from './contract.ts';
import { refuse } from './refuse.ts';

/** RFC 6750, section 2.1; the scheme is case-insensitive. */
const BEARER = /^Bearer +([\w\-.~+/]+=*) *$/i;
const METHODS = new Set(['GET', 'POST', 'DELETE']);

/** Lets a request in, and says whose it is, or answers it and gives undefined. Reads nothing of its body. */
export type Gate = (request: IncomingMessage, response: ServerResponse) => string | undefined;

/**
 * The checks before anything else, as the protocol asks of local servers (2025-11-25, "Streamable HTTP", security warning):
 * the Host must be this machine, so that a name that was rebound to it leads nowhere; an Origin must be local too; and a
 * valid bearer token must be there. Does not protect against programs that can read the token's file.
 */
export function createGate(authenticate: Authenticate): Gate {
  const checkHost = localhostHostValidation();
  const checkOrigin = localhostOriginValidation();
  return (request, response) => {
    if (!checkHost(request, response) || !checkOrigin(request, response)) return undefined;
    if (!METHODS.has(request.method ?? '')) {
      refuse(response, 405, 'Only GET, POST and DELETE are understood here.', { Allow: 'GET, POST, DELETE' });
      return undefined;
    }
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
    const principal = token === undefined ? undefined : authenticate(token);
    if (principal === undefined) {
      // RFC 6750, section 3: no error code when no token was sent.
      const challenge = authorization === undefined ? '' : ', error="invalid_token"';
      refuse(response, 401, 'A valid bearer token is needed in the Authorization header.', {
        'WWW-Authenticate': `Bearer realm="causeway"${challenge}`,
      });
    }
    return principal;
  };
}

/** One token for everybody who comes by HTTP. */
export function singleToken(token: string, principal = 'http'): Authenticate {
  const expected = digest(token);
  return (given) => (timingSafeEqual(digest(given), expected) ? principal : undefined);
}

/** Digests are equally long, whatever was sent: the comparison tells nothing about the token, nor about its length. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
