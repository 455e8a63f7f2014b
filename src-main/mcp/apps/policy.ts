import { isIPv4 } from 'node:net';
import { isJsonObject, type JsonValue, type ViewDomains } from '../../../src-shared/index.ts';

/** Domains of one kind that are looked at; a page that needs more is none. */
const MOST_DOMAINS = 50;
const LONGEST_DOMAIN = 300;
/** An origin, perhaps with a wildcard for its first label, and perhaps a path. */
const SOURCE = /^(https?|wss?):\/\/(\*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(:\d{1,5})?(\/[\w\-./~%]*)?$/i;

/** The keys of `_meta.ui.csp` (MCP Apps 2026-01-26) and our names for them. */
const KINDS = {
  connectDomains: 'connect',
  resourceDomains: 'resource',
  frameDomains: 'frame',
  baseUriDomains: 'baseUri',
} as const;

/**
 * The domains that a view's resource declares. Refused is what is no origin (`*`, `https:`, quoted words that would change the
 * policy) and what leads to this machine or its network.
 */
export function readDomains(csp: JsonValue | undefined): { domains: ViewDomains; refused: string[] } {
  const domains: ViewDomains = { connect: [], resource: [], frame: [], baseUri: [] };
  const refused = new Set<string>();
  if (!isJsonObject(csp)) return { domains, refused: [] };
  for (const [key, kind] of Object.entries(KINDS)) {
    const listed = csp[key];
    for (const source of Array.isArray(listed) ? listed.slice(0, MOST_DOMAINS) : []) {
      if (typeof source !== 'string') continue;
      if (isPublicSource(source)) domains[kind].push(source);
      else refused.add(source.slice(0, LONGEST_DOMAIN));
    }
  }
  return { domains, refused: [...refused].slice(0, MOST_DOMAINS) };
}

/** Only what {@link readDomains} would let through: for domains that came by another way. */
export function onlyPublic(domains: ViewDomains): ViewDomains {
  const { connect, resource, frame, baseUri } = domains;
  return {
    connect: connect.filter(isPublicSource),
    resource: resource.filter(isPublicSource),
    frame: frame.filter(isPublicSource),
    baseUri: baseUri.filter(isPublicSource),
  };
}

function isPublicSource(source: string): boolean {
  if (source.length > LONGEST_DOMAIN) return false;
  const [, scheme = '', wildcard, host = ''] = SOURCE.exec(source) ?? [];
  if (host === '') return false;
  const labels = host.split('.');
  // `*.com` would be half of the web.
  if (labels.length < 2 || labels.some((label) => label === '')) return false;
  if (/(^|\.)(localhost|local|internal|lan|home|test|invalid)$/i.test(host)) return false;
  // As the browser reads it: "0x7f.1" is an address, too.
  const address = URL.parse(`${scheme}://${host}/`)?.hostname;
  return address !== undefined && (!isIPv4(address) || (wildcard === undefined && isPublicAddress(address)));
}

function isPublicAddress(address: string): boolean {
  const [a = 0, b = 0] = address.split('.').map(Number);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if ((a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)) return false;
  return !(a === 100 && b >= 64 && b < 128);
}

/**
 * The content policy of a view (MCP Apps 2026-01-26, "CSP Construction from Metadata", and stricter where that leaves room): what
 * is not declared can not be reached. It is sent with the page that frames the view; the view inherits it, and `frame-src` also
 * keeps the view from leading its own frame elsewhere.
 * @param ancestor the only page that may show it.
 */
export function viewPolicy({ connect, resource, frame, baseUri }: ViewDomains, ancestor: string): string {
  const list = (name: string, ...sources: readonly string[]): string =>
    [name, ...(sources.length > 0 ? sources : ["'none'"])].join(' ');
  return [
    "default-src 'none'",
    list('script-src', "'self'", "'unsafe-inline'", ...resource),
    list('style-src', "'self'", "'unsafe-inline'", ...resource),
    list('img-src', 'data:', 'blob:', ...resource),
    list('media-src', 'data:', 'blob:', ...resource),
    list('font-src', 'data:', ...resource),
    list('connect-src', ...connect),
    'worker-src blob:',
    list('frame-src', ...frame),
    list('base-uri', ...baseUri),
    "object-src 'none'",
    "form-action 'none'",
    list('frame-ancestors', ancestor),
  ].join('; ');
}
