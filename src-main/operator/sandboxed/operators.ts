import { readFileSync } from 'node:fs';
import { CausewayError, type ShellSandbox } from '../../../src-shared/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import type { Operator } from '../contract.ts';
import { withDoor } from './approved.ts';
import { createRemoteFiles } from '../calls/remote-files.ts';
import { keepWorker, type WorkerKeeper } from './keeper.ts';
import { limited } from './limits.ts';
import { findProgram, type Kept } from './policy.ts';

/** A worker that has had nothing to do for so long is ended, in milliseconds. */
const IDLE_MS = 5 * 60 * 1000;

export interface SandboxedOperatorsParts {
  sandbox: Sandbox;
  /** The setting `shell.sandbox` as it is now: what keeps commands in keeps edits in as well. */
  policy: () => ShellSandbox;
  /** What stays as it is or out of sight in every workspace. */
  kept: Kept;
  /** A Node program that can run plain scripts, and where to look for it when that is a mere name. */
  nodePath: string;
  searchPath: string;
  /** Folders in which it is not looked for. */
  workspaces?: () => readonly string[];
  /** The built file worker. */
  workerPath: string;
  idleMs?: number;
}

/** The operators of those who edit files for a model. Disposing ends every worker. */
export interface SandboxedOperators extends AsyncDisposable {
  /**
   * The operator for one call: `local` itself when nothing is to keep edits in, else one whose files are those a sandbox shows.
   * @param approvedOutside a path outside of the workspace that the person allowed in this call, links resolved.
   * @throws CausewayError `refused` when the sandbox that was asked for cannot be had.
   */
  confine(local: Operator, approvedOutside?: string): Promise<Operator>;
}

/** One worker for each workspace and kind of access, started when first needed. */
export function createSandboxedOperators(parts: SandboxedOperatorsParts): SandboxedOperators {
  const { sandbox, policy, kept, nodePath, searchPath, workspaces = () => [], workerPath, idleMs = IDLE_MS } = parts;
  const keepers = new Map<string, WorkerKeeper>();

  function keeperOf(workspace: string, access: 'read-write' | 'read-only'): WorkerKeeper {
    const key = JSON.stringify([workspace, access]);
    const known = keepers.get(key);
    if (known) return known;
    const program = {
      node: findProgram(nodePath, { searchPath, workspaces }),
      text: () => readFileSync(workerPath, 'utf8'),
    };
    const made = keepWorker({ sandbox, workspace, access, kept, idleMs, ...program });
    keepers.set(key, made);
    return made;
  }

  async function confine(local: Operator, approvedOutside?: string): Promise<Operator> {
    const wanted = policy();
    if (wanted === 'off') return local;
    const { workspace } = local;
    const access = wanted === 'workspace-write' ? 'read-write' : 'read-only';
    let keeper: WorkerKeeper;
    try {
      keeper = keeperOf(workspace, access);
      await keeper.ready();
    } catch (error) {
      throw refusal(wanted, error);
    }
    const files = createRemoteFiles(limited(keeper.send, { workspace, access, policy: wanted }));
    const door = { approved: approvedOutside ?? '', writable: access === 'read-write' };
    return {
      kind: 'sandboxed',
      workspace,
      files: approvedOutside === undefined ? files : withDoor(files, local.files, door),
      locate: local.locate,
      openTerminal(options) {
        if (options.sandbox) return local.openTerminal(options);
        throw new CausewayError('refused', 'Nothing is started outside of the sandbox here.');
      },
    };
  }

  return {
    confine,
    async [Symbol.asyncDispose]() {
      await Promise.all([...keepers.values()].map((keeper) => keeper[Symbol.asyncDispose]()));
    },
  };
}

/** Never without the sandbox that was asked for. */
function refusal(policy: ShellSandbox, error: unknown): unknown {
  if (!(error instanceof CausewayError)) return error;
  return new CausewayError(
    'refused',
    `Files must be edited in a sandbox (the setting "shell.sandbox" is "${policy}"), and that cannot be done here: ${error.message}`,
    {
      hint: `${error.hint ?? ''} Or set "shell.sandbox" to "off" in the settings, to let the editor do what you can do.`.trim(),
      cause: error,
    },
  );
}
