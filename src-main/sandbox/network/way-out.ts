import path from 'node:path';
import type { WayOut, WayOutOptions } from '../contract.ts';
import { openNetworkProxy } from './proxy.ts';

/** Where programs inside find the proxy: a port of their own loopback. */
const PORT = 3128;
const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];
const SOCKET = 'way-out';
const READY = 'ready';
/** Exit code of a program whose way out could not be made. */
const NO_WAY_OUT = 97;

/**
 * A constant script: starts what hands connections on, waits until it listens, and becomes the program. A session of its
 * own keeps it out of a shell's job control; the program's channel (descriptor 3, where there is one) is not its business.
 */
const START = `
exec 9< <(exec setsid "$1" "$2" "$3" "$4" "$5" </dev/null 3>&-)
read -r -u 9 word && [ "$word" = ${READY} ] || exit ${NO_WAY_OUT}
exec 9<&-
shift 5
exec "$@"
`;

/** What hands connections on inside: `node` runs the `script`, a program that can run plain scripts. */
export interface Forwarder {
  readonly node: string;
  readonly script: string;
}

/** What `Sandbox.wayOut` promises. */
export function planWayOut({ node, script }: Forwarder, { folder, rules, setting }: WayOutOptions): WayOut {
  const proxy = `http://127.0.0.1:${PORT}`;
  // What listens inside is reached inside, unless a rule means this machine's.
  const direct = OWN_NAMES.filter((name) => !rules.some((rule) => rule.includes(name))).join(',');
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  return {
    shared: [
      { path: node, access: 'read-only' },
      { path: script, access: 'read-only' },
      { path: path.join(folder, SOCKET), access: 'read-write' },
    ],
    env: {
      ...Object.fromEntries(
        names.flatMap((name) => [
          [name, proxy],
          [name.toUpperCase(), proxy],
        ]),
      ),
      ...{ no_proxy: direct, NO_PROXY: direct },
      // Node's own fetch looks at the variables only when told.
      NODE_USE_ENV_PROXY: '1',
    },
    starter: ['bash', '--noprofile', '--norc', '-c', START, 'start', node, script, String(PORT), folder, SOCKET],
    open: () => openNetworkProxy({ folder, name: SOCKET, rules, setting }),
  };
}
