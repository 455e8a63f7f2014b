import { isJsonObject } from '../../src-shared/index.ts';
import type { CallItem } from './items.ts';

/** A step whose command may still run, in the session's shell or as a background job. */
export interface LiveShell {
  readonly job?: string;
}

/**
 * The steps whose commands may still run, by their call: of the shell the last one at most, and of each job the step that
 * started or looked at it last. Whether they do only the core knows.
 */
export function liveShells(calls: readonly CallItem[]): ReadonlyMap<string, LiveShell> {
  let foreground: string | undefined;
  const jobs = new Map<string, string>();
  for (const call of calls) {
    if (call.name !== 'bash' || call.origin?.kind === 'server') continue;
    const job = jobOf(call);
    const live = call.state === 'running' || goesOn(call);
    if (job !== undefined) {
      if (live) jobs.set(job, call.callId);
      else if (call.result?.isError === false) jobs.delete(job);
    } else if (call.input['background'] !== true) {
      if (live) foreground = call.callId;
      else if (call.result?.structuredContent) foreground = undefined;
    }
  }
  const found = new Map<string, LiveShell>([...jobs].map(([job, callId]) => [callId, { job }]));
  return foreground === undefined ? found : found.set(foreground, {});
}

function goesOn({ result }: CallItem): boolean {
  const state = result?.structuredContent?.['state'];
  return state === 'running' || state === 'waiting';
}

function jobOf({ input, result }: CallItem): string | undefined {
  const job = result?.structuredContent?.['job'] ?? input['job'];
  return typeof job === 'string' ? job : undefined;
}

/** What a finished call said of the program that goes on. */
export interface ShellWait {
  readonly waits: boolean;
  /** What runs, as far as it is known. */
  readonly program: string | undefined;
  readonly hidden: boolean;
}

/** What a call's result says of a command that goes on; undefined while there is no result. */
export function shellWait({ result }: CallItem): ShellWait | undefined {
  const content = result?.structuredContent;
  if (!content) return undefined;
  const running = content['running'];
  const program =
    isJsonObject(running) && typeof running['command'] === 'string' ? withoutFolder(running['command']) : undefined;
  return { waits: content['state'] === 'waiting', program, hidden: content['typing'] === 'hidden' };
}

/** A command line whose program is named without the folders it lies in. */
function withoutFolder(command: string): string {
  return command.replace(/^\/\S*\//, '');
}

/** What kept a call's shell in. */
export interface ShellSandbox {
  readonly policy: 'off' | 'workspace-write' | 'read-only';
  /** `on`, `off`, or the hosts that may be reached. */
  readonly network: 'on' | 'off' | readonly string[];
}

/** The sandbox that a call's result names. */
export function shellSandbox({ result }: CallItem): ShellSandbox | undefined {
  const sandbox = result?.structuredContent?.['sandbox'];
  if (!isJsonObject(sandbox)) return undefined;
  const { policy, network } = sandbox;
  if (policy !== 'off' && policy !== 'workspace-write' && policy !== 'read-only') return undefined;
  if (Array.isArray(network)) return { policy, network: network.map(String) };
  return { policy, network: network === 'off' ? 'off' : 'on' };
}
