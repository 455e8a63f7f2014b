import { homedir } from 'node:os';
import path from 'node:path';
import { CausewayError, type Settings, type ShellNetwork, type ShellSandbox } from '../../../src-shared/index.ts';
import type { TerminalOptions } from '../../operator/index.ts';
import type { NetworkProxy, Sandbox, SandboxPolicy } from '../../sandbox/index.ts';
import { shellPolicy, withoutSecrets } from './sandbox-policy.ts';

/** What keeps a shell in, as results show it. */
export interface SandboxView {
  readonly policy: ShellSandbox;
  /** `on`, `off`, or the hosts that may be reached. */
  readonly network: ShellNetwork;
}

/** What keeps the next shell in. */
export interface Confinement {
  readonly view: SandboxView;
  /**
   * What a shell needs to be started inside. `folder` is for the launch, `shared` what the shell itself has to see.
   * @throws CausewayError `refused` when the policy cannot be kept here.
   */
  enclose(shell: EnclosedShell): Promise<Enclosed>;
}

/** How to start a shell inside. Disposed of when it has ended. */
export interface Enclosed extends Pick<TerminalOptions, 'sandbox' | 'env'> {
  /** What starts the shell's program, in front of it. */
  readonly starter?: readonly [string, ...string[]];
  /** Its only way out, where hosts are allowed by name. */
  readonly proxy?: NetworkProxy;
}

export interface EnclosedShell {
  folder: string;
  shared: NonNullable<SandboxPolicy['shared']>;
  workspace: string;
  env: Record<string, string>;
}

export interface ConfinementParts {
  sandbox: Sandbox;
  settings: () => Settings;
  /** Causeway's own folder: no sandbox shows it. */
  dataFolder: string;
}

/** Reads the settings each time: what a person changes holds from the next command on. */
export function createConfinement({ sandbox, settings, dataFolder }: ConfinementParts): () => Confinement {
  return () => {
    const { sandbox: policy, network } = settings().shell;
    if (policy === 'off') {
      return { view: { policy, network: 'on' }, enclose: ({ env }) => Promise.resolve({ env }) };
    }
    const access = policy === 'workspace-write' ? 'read-write' : 'read-only';
    return {
      view: { policy, network },
      async enclose({ folder, shared, workspace, env }) {
        const way = Array.isArray(network)
          ? sandbox.wayOut({ folder, rules: network, setting: 'shell.network' })
          : undefined;
        const wanted = shellPolicy({
          ...{ access, network, workspace, dataFolder, shared: [...shared, ...(way?.shared ?? [])] },
          homes: homesOf(env['HOME']),
          searchPath: env['PATH'] ?? '',
        });
        try {
          const enclosure = await sandbox.forTerminal(wanted);
          const inside = { env: withoutSecrets(env), sandbox: { enclosure, folder } };
          if (!way) return inside;
          return { ...inside, env: { ...inside.env, ...way.env }, starter: way.starter, proxy: await way.open() };
        } catch (error) {
          throw refusal(policy, error);
        }
      },
    };
  };
}

/** True when a shell with the one may go on where the other is wanted. */
export function sameSandbox(one: SandboxView, other: SandboxView): boolean {
  return one.policy === other.policy && String(one.network) === String(other.network);
}

function homesOf(home: string | undefined): [string, ...string[]] {
  const own = home !== undefined && path.isAbsolute(home) ? path.normalize(home).replace(/(.)\/$/, '$1') : '/';
  // Without a home of its own the shell has an empty one.
  return [own === '/' ? '/sandbox/home' : own, homedir()];
}

/** Never without the sandbox that was asked for. */
function refusal(policy: ShellSandbox, error: unknown): unknown {
  if (!(error instanceof CausewayError)) return error;
  return new CausewayError(
    'refused',
    `Commands must run in a sandbox (the setting "shell.sandbox" is "${policy}"), and that cannot be done here: ${error.message}`,
    {
      hint: `${error.hint ?? ''} Or set "shell.sandbox" to "off" in the settings, to let commands do what you can do.`.trim(),
      cause: error,
    },
  );
}
