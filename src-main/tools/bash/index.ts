import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../../src-shared/index.ts';
import type { Operator } from '../../operator/index.ts';
import { reapRunFolders } from '../../platform/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import type { OutputStore } from '../../store/index.ts';
import type { Tool } from '../contract.ts';
import { createConfinement } from './confinement.ts';
import { bashDefinition, parseInput } from './definition.ts';
import { shellEnvironment } from './environment.ts';
import { findBash } from './find-bash.ts';
import type { LiveTerminals } from './live.ts';
import { resolveLoginPath } from './login-path.ts';
import { createShellSession, type ShellSession } from './session.ts';
import { startShell, type Shell } from './shell.ts';

export type { LiveTerminal, LiveTerminals } from './live.ts';
export { resolveLoginPath } from './login-path.ts';
export { keptFromSandboxes, shellPolicy, withoutSecrets } from './sandbox-policy.ts';

export interface BashToolOptions {
  outputs: OutputStore;
  settings: () => Settings;
  /** Private folder for the shells' files and records. */
  runDir: string;
  /** What the shells' environment is made from. */
  env: NodeJS.ProcessEnv;
  sandbox: Sandbox;
  /** Causeway's own folder: no sandbox shows it. */
  home: string;
}

/** The tool, and the end of the shells behind it. */
export interface BashTool extends Tool, LiveTerminals, AsyncDisposable {
  /** Ends the shell and the jobs of one session; nothing happens when it has none. */
  closeSession(sessionId: string): Promise<void>;
}

/**
 * The `bash` tool: one shell per session, opened when first needed. Disposing ends every shell and job. What an earlier
 * Causeway left behind when it was killed is ended in the background, beginning now.
 */
export function createBashTool(options: BashToolOptions): BashTool {
  const { outputs, settings, runDir, env, sandbox, home } = options;
  const sessions = new Map<string, ShellSession>();
  const reaped = reapRunFolders(runDir, 'shell');
  // A folder that cannot be removed now is tried again at the next start.
  reaped.catch(() => undefined);
  const confinement = createConfinement({ sandbox, settings, dataFolder: home });
  let searchPath: Promise<string> | undefined;

  async function openShell(operator: Operator, directory: string, state?: string): Promise<Shell> {
    searchPath ??= resolveLoginPath(operator, env);
    const environment = shellEnvironment(env, await searchPath);
    const program = await findBash((file) => operator.files.stat(file), env, process.platform);
    return startShell({
      ...{ operator, outputs, runDir, program, directory, state },
      ...{ env: environment, confinement: confinement() },
    });
  }

  function sessionOf(sessionId: string): ShellSession {
    const known = sessions.get(sessionId);
    if (known) return known;
    const made = createShellSession({
      outputs,
      confinement,
      openShell,
      logFile(name) {
        const folder = path.join(home, 'jobs');
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        return path.join(folder, `${name}.log`);
      },
      capBytes: () => settings().output.capBytes,
      limits: () => ({ total: settings().shell.timeoutSeconds, silence: settings().shell.silenceSeconds }),
    });
    sessions.set(sessionId, made);
    return made;
  }

  async function closeSession(sessionId: string): Promise<void> {
    const session = sessions.get(sessionId);
    sessions.delete(sessionId);
    await session?.[Symbol.asyncDispose]();
  }

  return {
    ...bashDefinition,
    execute(raw, context) {
      return sessionOf(context.sessionId).call(parseInput(raw), context);
    },
    terminal: (sessionId, job) => sessions.get(sessionId)?.live(job),
    closeSession,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled([reaped, ...[...sessions.keys()].map(closeSession)]);
    },
  };
}
