import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** How long a link from the terminal may wait to be opened, in milliseconds. */
const LINK_LIFETIME_MS = 30 * 60_000;

/**
 * Who may use the web host. A link holds a token that works once; it is exchanged for a cookie that lives as long as this
 * process.
 *
 * Keeps out: other web sites in the same browser (Host, Origin and SameSite), DNS rebinding (Host), and other users of the
 * machine (the token). Does not protect against a program that runs as the same user: it can read the terminal and the cookie.
 */
export interface Access {
  /** A token that works once, for the next link. */
  issue(): string;
  /** The cookie for this token, as a Set-Cookie header; undefined when the token is unknown, used or too old. */
  redeem(token: string): string | undefined;
  /** True when the request carries a cookie of this process. */
  knows(request: IncomingMessage): boolean;
}

/** @param port the cookie is named after it, because browsers share cookies between all ports of 127.0.0.1. */
export function createAccess(port: number, now: () => number = Date.now): Access {
  const cookieName = `causeway_${port}`;
  const links = new Map<string, number>();
  const browsers = new Set<string>();
  return {
    issue() {
      const token = secret();
      links.set(digest(token), now() + LINK_LIFETIME_MS);
      return token;
    },
    redeem(token) {
      const key = digest(token);
      const expires = links.get(key);
      links.delete(key);
      if (expires === undefined || expires < now()) return undefined;
      const cookie = secret();
      browsers.add(digest(cookie));
      return `${cookieName}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    knows: (request) => cookies(request, cookieName).some((value) => browsers.has(digest(value))),
  };
}

/** Host and Origin name this server itself, so the request does not come from another web site or through a foreign name. */
export function isOwnAddress(request: IncomingMessage, port: number): boolean {
  const { host, origin } = request.headers;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return false;
  return origin === undefined || origin === `http://${host}`;
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Secrets are looked up by their hash: the time that takes says nothing about how much of a guess was right. */
function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64');
}

function cookies(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}
