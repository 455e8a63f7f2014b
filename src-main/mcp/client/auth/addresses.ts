import { BlockList, isIP } from 'node:net';
import { CausewayError } from '../../../../src-shared/index.ts';

/** This machine. */
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Networks that nobody outside can reach, among them where clouds keep their machines' keys. */
const inside = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(net, bits);
}
inside.addSubnet('fc00::', 7, 'ipv6');
inside.addSubnet('fe80::', 10, 'ipv6');
inside.addAddress('::', 'ipv6');

type Reach = 'loopback' | 'inside' | 'anywhere';

/**
 * Checks an address that a server, or its authorization server, points to. Everybody's are reached by https; a server on this
 * machine may name others on it by http too. A server elsewhere may name nothing in here: neither we nor the browser go there
 * on its word. A name that resolves to an address in here still has to show a certificate for that name.
 * @throws CausewayError `refused`.
 */
export function checkAddress(address: string | URL, server: URL): URL {
  const url = new URL(address);
  const reach = reachOf(url.hostname);
  const near = reachOf(server.hostname);
  if (url.username || url.password) throw refuse(url, 'it holds a name or password');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && reach === 'loopback')) {
    throw refuse(url, 'it is not https');
  }
  if (reach === 'loopback' && near !== 'loopback') throw refuse(url, 'it is on this machine, and the server is not');
  if (reach === 'inside' && near === 'anywhere') throw refuse(url, 'it is in a private network, and the server is not');
  return url;
}

function reachOf(hostname: string): Reach {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const family = isIP(host);
  if (family === 0) return 'anywhere';
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(host, kind)) return 'loopback';
  return inside.check(host, kind) ? 'inside' : 'anywhere';
}

function refuse(url: URL, why: string): CausewayError {
  return new CausewayError('refused', `Signing in would lead to ${url.origin}, which is refused: ${why}.`, {
    hint: 'Ask whoever runs the server; signing in to it is not safe as it is.',
  });
}
