import path from 'node:path';
import type { NetworkProxy, Sandbox, SandboxPolicy } from '../../sandbox/index.ts';

/** Where programs inside find the proxy: a port of their own loopback. */
const PORT = 3128;
const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];
const SOCKET = 'way-out';
const READY = 'ready';
/** Exit code of a shell whose way out could not be made. */
const NO_WAY_OUT = 97;

/**
 * A constant script: starts what hands connections on, waits until it listens, and becomes the shell. A session of its own keeps
 * it out of the shell's job control.
 */
const START = `
exec 9< <(exec setsid "$1" "$2" "$3" "$4" "$5" </dev/null)
read -r -u 9 word && [ "$word" = ${READY} ] || exit ${NO_WAY_OUT}
exec 9<&-
shift 5
exec "$@"
`;

/** How a shell without a network reaches some hosts. */
export interface WayOut {
  readonly shared: NonNullable<SandboxPolicy['shared']>;
  readonly env: Record<string, string>;
  /** Stands in front of the shell's program and its arguments. */
  readonly starter: readonly [string, ...string[]];
  /** Opens the end outside; before the shell starts. @throws CausewayError */
  open(): Promise<NetworkProxy>;
}

/** Makes ways out. `folder` is the shell's own, and not shown to it. */
export interface AllowedHosts {
  plan(folder: string, rules: readonly string[]): WayOut;
}

/** `node` runs the `forwarder` inside: a program that can run plain scripts. */
export function createAllowedHosts({
  sandbox,
  node,
  forwarder,
}: {
  sandbox: Sandbox;
  node: string;
  forwarder: string;
}): AllowedHosts {
  return {
    plan(folder, rules) {
      const proxy = `http://127.0.0.1:${PORT}`;
      // What listens inside is reached inside, unless a rule means this machine's.
      const direct = OWN_NAMES.filter((name) => !rules.some((rule) => rule.includes(name))).join(',');
      const names = ['http_proxy', 'https_proxy', 'all_proxy'];
      return {
        shared: [
          { path: node, access: 'read-only' },
          { path: forwarder, access: 'read-only' },
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
        starter: ['bash', '--noprofile', '--norc', '-c', START, 'start', node, forwarder, String(PORT), folder, SOCKET],
        open: () => sandbox.openProxy({ folder, name: SOCKET, rules }),
      };
    },
  };
}
