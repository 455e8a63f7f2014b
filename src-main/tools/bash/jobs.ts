import path from 'node:path';
import { CausewayError, success, type JsonObject, type ToolResult } from '../../../src-shared/index.ts';
import type { OutputWriter } from '../../store/index.ts';
import type { ToolContext } from '../contract.ts';
import type { BashInput } from './definition.ts';
import type { Execution } from './execution.ts';
import { follow, type Outcome } from './follow.ts';
import { endKept, keptCommand } from './kept-job.ts';
import { liveTerminal } from './live-terminal.ts';
import type { LiveTerminal } from './live.ts';
import type { Limits } from './limits.ts';
import { nameOf, report } from './report.ts';
import { readState } from './saved-state.ts';
import type { SessionParts } from './session.ts';
import { saveStateCommand } from './shell-script.ts';
import type { Shell } from './shell.ts';

/** Jobs of one session that may run at the same time. */
const MOST_RUNNING = 16;
/** Bytes of output since the last look that stay in memory at each end. */
const KEEP_BYTES = 64 * 1024;

interface Job {
  readonly name: string;
  readonly command: string;
  readonly shell: Shell;
  readonly execution: Execution;
  /** Gets everything, for `read_output`. */
  readonly writer: OutputWriter;
  /** Of a job that outlives Causeway: where its output goes. */
  readonly log?: string;
}

export interface WantedJob {
  readonly command: string;
  /** Whether it outlives Causeway. */
  readonly keep: boolean;
}

/** Commands that outlive the call that started them, each in a shell of its own. */
export interface Jobs extends AsyncDisposable {
  /** Returns as soon as it runs. */
  start(wanted: WantedJob, context: ToolContext, directory: string | undefined): Promise<ToolResult>;
  /** Output since the last look; waits, types or stops as the input says. @throws CausewayError `not_found`. */
  look(name: string, input: BashInput, context: ToolContext): Promise<ToolResult>;
  list(): ToolResult;
  /** A running one, as a person sees it. */
  live(name: string): LiveTerminal | undefined;
}

/** `idleShell` is the session's shell, when there is one and it runs nothing: jobs take over its state. */
export function createJobs(parts: SessionParts, idleShell: () => Shell | undefined): Jobs {
  const jobs = new Map<string, Job>();
  let disposed = false;

  async function stateOf(shell: Shell | undefined): Promise<string | undefined> {
    if (!shell || !(await shell.settle())) return undefined;
    const file = path.join(shell.exchange, 'state');
    const saved = shell.run(saveStateCommand(file), { keepBytes: KEEP_BYTES });
    await saved.done;
    saved.take();
    return readState(file);
  }

  async function start(
    { command, keep }: WantedJob,
    context: ToolContext,
    directory: string | undefined,
  ): Promise<ToolResult> {
    const running = [...jobs.values()].filter(({ execution }) => !execution.completion);
    if (running.length >= MOST_RUNNING) {
      throw new CausewayError('conflict', `${MOST_RUNNING} background jobs are running already.`, {
        hint: 'Stop one first: give its name as "job", with "stop": true.',
      });
    }
    const parent = idleShell();
    const state = await stateOf(parent);
    const where = parent?.directory ?? directory ?? context.operator.workspace;
    const shell = await parts.openShell(context.operator, where, state);
    if (disposed) {
      await shell[Symbol.asyncDispose]();
      throw new CausewayError('cancelled', 'Causeway is closing.');
    }
    if (keep && shell.sandbox.policy !== 'off') {
      await shell[Symbol.asyncDispose]();
      throw new CausewayError('refused', 'A command in a sandbox ends with it, so this job can not outlive Causeway.', {
        hint: 'Start it without "keep", or set "shell.sandbox" to "off" in the settings.',
      });
    }
    const writer = parts.outputs.create();
    const log = keep ? parts.logFile(writer.handle) : undefined;
    const execution = shell.run(log === undefined ? command : keptCommand(command, log), { keepBytes: KEEP_BYTES });
    execution.onOutput((bytes) => writer.write(bytes));
    const name = String(jobs.size + 1);
    const job: Job = { name, command, shell, execution, writer, ...(log !== undefined && { log }) };
    jobs.set(name, job);
    void execution.done.then(() => end(job));
    return success('', {
      structuredContent: { ...viewOf(job), cwd: where, sandbox: { ...shell.sandbox } },
      system:
        `Job ${name} runs \`${nameOf(command)}\` in the background. Look at it with "job": "${name}"; ` +
        `its whole output is under handle ${writer.handle}.` +
        (log === undefined ? '' : ` It goes on when Causeway ends; then its output is in ${log}.`),
    });
  }

  async function look(name: string, input: BashInput, context: ToolContext): Promise<ToolResult> {
    const job = jobs.get(name);
    if (!job) {
      const known = [...jobs.keys()];
      throw new CausewayError('not_found', `There is no background job "${name}".`, {
        hint: known.length > 0 ? `There are: ${known.join(', ')}.` : 'None was started in this session.',
      });
    }
    const { execution, shell, writer } = job;
    if (input.input && job.log !== undefined) {
      throw new CausewayError('bad_input', `Job ${name} has no terminal to type into: it was started with "keep".`);
    }
    if (input.stop) await stop(job);
    else if (input.input && !execution.completion) shell.type(input.input);
    const limits = limitsOfLook(input);
    const outcome = await waitFor(job, limits, context);
    return report({
      ...{
        execution,
        outcome,
        sandbox: shell.sandbox,
        before: shell.directory,
        directory: shell.directory,
        limits: limits ?? parts.limits(),
      },
      ...{ notes: [], earlier: [], outputs: parts.outputs, capBytes: parts.capBytes() },
      job: { job: name, handle: writer.handle },
    });
  }

  async function stop(job: Job): Promise<void> {
    if (job.log !== undefined) await endKept(job.log);
    await end(job);
  }

  /** Stopping a job, or its end: nothing of it stays but its output. */
  async function end({ shell, writer }: Job): Promise<void> {
    await shell[Symbol.asyncDispose]();
    writer.close();
  }

  return {
    start,
    look,
    list() {
      const lines = [...jobs.values()].map(describe);
      return success(lines.join('\n') || 'There are no background jobs.', {
        structuredContent: { state: 'jobs', jobs: [...jobs.values()].map(viewOf) },
      });
    },
    live(name) {
      const job = jobs.get(name);
      return job && liveTerminal(job.shell, job.execution);
    },
    async [Symbol.asyncDispose]() {
      disposed = true;
      await Promise.all([...jobs.values()].map(end));
    },
  };
}

/** Without any the job is only looked at. A job may be silent as long as it likes. */
function limitsOfLook({ timeout, silence }: BashInput): Limits | undefined {
  const total = timeout ?? silence;
  return total === undefined ? undefined : { total, silence: silence ?? total };
}

/** Without a limit the job is only looked at. */
async function waitFor(job: Job, limits: Limits | undefined, context: ToolContext): Promise<Outcome> {
  if (job.execution.completion) return { state: 'ended' };
  if (limits === undefined) return { state: 'running', foreground: job.shell.foreground() };
  return follow(job.shell, job.execution, { context, limits, stopOnAbort: false });
}

function viewOf({ name, command, execution, writer }: Job): JsonObject {
  const { completion } = execution;
  return {
    state: completion ? 'ended' : 'running',
    job: name,
    command: nameOf(command),
    handle: writer.handle,
    ...(completion && { exitCode: completion.exitCode }),
  };
}

function describe({ name, command, execution }: Job): string {
  const { completion } = execution;
  return `${name}: ${completion ? `ended with exit code ${completion.exitCode}` : 'running'}: ${nameOf(command)}`;
}
