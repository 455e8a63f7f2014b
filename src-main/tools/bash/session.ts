import { CausewayError, failure, success, text, type ContentPart, type ToolResult } from '../../../src-shared/index.ts';
import type { Operator } from '../../operator/index.ts';
import type { OutputStore } from '../../store/index.ts';
import type { ToolContext } from '../contract.ts';
import { createCallQueue } from './call-queue.ts';
import type { Captured } from './capture.ts';
import { sameSandbox, type Confinement } from './confinement.ts';
import type { BashInput } from './definition.ts';
import type { Execution } from './execution.ts';
import { follow } from './follow.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { liveTerminal } from './live-terminal.ts';
import type { LiveTerminal } from './live.ts';
import { outputText } from './output-text.ts';
import { limitsOf, type Limits } from './limits.ts';
import { nameOf, report } from './report.ts';
import type { Shell } from './shell.ts';
import { stopCommand } from './stop-command.ts';

/** What every session needs from outside. */
export interface SessionParts {
  outputs: OutputStore;
  /** Bytes of text that reach a model. */
  capBytes: () => number;
  /** When a call returns although its command runs, unless it says otherwise. */
  limits: () => Limits;
  /** What keeps the next shell in. */
  confinement: () => Confinement;
  openShell(operator: Operator, directory: string, state?: string): Promise<Shell>;
  /** A file for the output of a job that outlives Causeway; in a folder that is there. */
  logFile(name: string): string;
}

/** The shell of one session, and its background jobs. */
export interface ShellSession extends AsyncDisposable {
  /** One call, after those that were asked for before it. @throws CausewayError, or the signal's reason. */
  call(input: BashInput, context: ToolContext): Promise<ToolResult>;
  /** What runs in the shell, or in a job of this name. */
  live(job?: string): LiveTerminal | undefined;
}

/** Bytes of output that stay in memory at each end, at least: enough for a progress bar to be rendered whole. */
const KEEP_BYTES = 64 * 1024;

export function createShellSession(parts: SessionParts): ShellSession {
  const queue = createCallQueue();
  let shell: Shell | undefined;
  /** Where the next shell begins, when this one ends. */
  let directory: string | undefined;
  /** The command that the last call left running, or that ended unseen. */
  let pending: Execution | undefined;
  /** What the next result has to say first. */
  let notes: string[] = [];
  const jobs: Jobs = createJobs(parts, () => (pending && !pending.completion ? undefined : shell));

  async function discardShell(): Promise<void> {
    const old = shell;
    shell = undefined;
    directory = old?.directory ?? directory;
    await old?.[Symbol.asyncDispose]();
  }

  async function existing(operator: Operator, wanted: string): Promise<string> {
    const { policy } = parts.confinement().view;
    if (policy !== 'off' && !(await operator.locate(wanted)).inside) return operator.workspace;
    const found = await operator.files.stat(wanted).catch(() => null);
    if (found?.kind === 'directory') return wanted;
    notes.push(`${wanted} is gone; the shell starts in ${operator.workspace}.`);
    return operator.workspace;
  }

  /** The session's shell, listening; a fresh one when there is none or it does not answer. */
  async function ready(operator: Operator): Promise<Shell> {
    if (shell && !sameSandbox(shell.sandbox, parts.confinement().view)) {
      notes.push(
        'The setting for the sandbox has changed, so this is a fresh shell. Variables and functions are gone.',
      );
      await discardShell();
    }
    if (shell && !shell.ending && (await shell.settle())) return shell;
    if (shell) {
      const { ending } = shell;
      notes.push(
        ending
          ? `The shell had ended (exit code ${ending.exitCode}); this is a fresh one. Variables and functions are gone.`
          : 'The shell did not answer any more and was replaced. Variables and functions are gone.',
      );
      await discardShell();
    }
    shell = await parts.openShell(operator, await existing(operator, directory ?? operator.workspace));
    return shell;
  }

  /** Stops what an earlier call left running; gives what it had still to say. */
  async function closePending(): Promise<ContentPart[]> {
    const earlier = pending;
    pending = undefined;
    if (!earlier) return [];
    if (shell && !earlier.completion) {
      if (!(await stopCommand(shell, earlier))) {
        notes.push('The shell could not be freed and was replaced. Variables and functions are gone.');
        await discardShell();
      }
      notes.push(`\`${nameOf(earlier.command)}\`, which still ran, was stopped first.`);
    } else {
      const whole = earlier.completion?.shellEnded ? ', and the shell with it' : '';
      notes.push(
        `\`${nameOf(earlier.command)}\` had ended with exit code ${earlier.completion?.exitCode ?? 0}${whole}.`,
      );
    }
    if (shell?.ending) await discardShell();
    return shown(earlier.take(), `Output of \`${nameOf(earlier.command)}\` since the last call`);
  }

  async function shown(captured: Captured | undefined, title: string): Promise<ContentPart[]> {
    if (!captured) return [];
    const output = await outputText(captured, parts.capBytes(), parts.outputs);
    // Whether it ended or was stopped, the next part begins on a line of its own.
    return output.text.trim() === '' ? [] : [text(`[${title}:]\n${output.text.replace(/\n$/, '')}`)];
  }

  async function runCommand(
    input: BashInput & { command: string },
    { context, after, earlier }: Following,
    again = true,
  ): Promise<ToolResult> {
    const closed = await closePending();
    const current = await ready(context.operator);
    context.signal.throwIfAborted();
    const { input: typed } = input;
    const execution = current.run(input.command, {
      keepBytes: Math.max(KEEP_BYTES, parts.capBytes()),
      announced: Boolean(typed),
    });
    if (typed) void execution.entered.then(() => type(current, execution, typed));
    const followed = await followOn(current, execution, input, context);
    const between = await shown(execution.before, 'Background jobs wrote meanwhile');
    const before = { context, after, earlier: [...earlier, ...closed, ...between] };
    // The shell was dying when it was given the command: a fresh one gets it.
    if (execution.completion?.started === false && again) {
      pending = undefined;
      return runCommand(input, before, false);
    }
    return conclude(followed, before);
  }

  async function goOn(input: BashInput, following: Following): Promise<ToolResult> {
    const execution = pending;
    if (!execution || !shell) {
      throw new CausewayError(
        'bad_input',
        'Nothing is running in this shell, so there is nothing to wait for or to type into.',
        { hint: 'Give a command.' },
      );
    }
    if (input.input) type(shell, execution, input.input);
    return conclude(await followOn(shell, execution, input, following.context), following);
  }

  function type(into: Shell, execution: Execution, text: string): void {
    if (!execution.completion) into.type(text);
    else notes.push('The program had ended before the input could be typed.');
  }

  async function followOn(current: Shell, execution: Execution, input: BashInput, context: ToolContext) {
    const limits = limitsOf(input, parts.limits());
    const before = directory ?? current.directory;
    pending = execution;
    const outcome = await follow(current, execution, { context, limits });
    return { current, execution, outcome, before, limits };
  }

  async function conclude(
    { current, ...followed }: Awaited<ReturnType<typeof followOn>>,
    { after, earlier }: Following,
  ): Promise<ToolResult> {
    const { execution, outcome } = followed;
    directory = current.directory;
    const said = [...notes, ...refusals(current)];
    notes = [];
    if (execution.completion || outcome.state === 'cancelled') pending = undefined;
    if (outcome.state === 'cancelled') after(outcome.stopped.then((usable) => (usable ? undefined : abandon())));
    if (execution.completion?.shellEnded) after(discardShell());
    return report({
      ...followed,
      sandbox: current.sandbox,
      directory,
      notes: said,
      earlier,
      outputs: parts.outputs,
      capBytes: parts.capBytes(),
    });
  }

  async function abandon(): Promise<void> {
    notes.push('The last command could not be stopped by itself, so the shell was replaced. Variables are gone.');
    await discardShell();
  }

  async function restart(context: ToolContext): Promise<ToolResult> {
    pending = undefined;
    await discardShell();
    notes = [];
    directory = context.operator.workspace;
    const current = await ready(context.operator);
    return success('', {
      structuredContent: { state: 'restarted', cwd: current.directory, sandbox: { ...current.sandbox } },
      system: `The shell was restarted in ${current.directory}.`,
    });
  }

  async function inTurn(input: BashInput, context: ToolContext, after: After): Promise<ToolResult> {
    const { command } = input;
    if (command?.includes('\0')) {
      return failure("The command holds a NUL character, which no shell can run. Write such bytes with printf '\\0'.");
    }
    if (input.restart) {
      const restarted = await restart(context);
      if (command === undefined) return restarted;
      if (restarted.system) notes.push(restarted.system);
    }
    if (input.keep && !(input.background && command !== undefined)) {
      throw new CausewayError('bad_input', '"keep" is for a command in the background.', {
        hint: 'Give "command" with "background": true.',
      });
    }
    if (input.background && command !== undefined) {
      return jobs.start({ command, keep: input.keep }, context, directory);
    }
    const following = { context, after, earlier: [] };
    return command === undefined ? goOn(input, following) : runCommand({ ...input, command }, following);
  }

  return {
    call(input, context) {
      // Jobs have their own terminals: looking at one does not wait for the shell.
      if (input.job !== undefined) return jobs.look(input.job, input, context);
      if (input.background && input.command === undefined) return Promise.resolve(jobs.list());
      return queue.run(context.signal, (after) => inTurn(input, context, after));
    },
    live(job) {
      if (job !== undefined) return jobs.live(job);
      return shell && pending ? liveTerminal(shell, pending) : undefined;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([discardShell(), jobs[Symbol.asyncDispose]()]);
    },
  };
}

/** What one call goes along with. */
interface Following {
  context: ToolContext;
  after: After;
  /** Output of earlier commands, to be shown first. */
  earlier: ContentPart[];
}

type After = (cleaning: Promise<unknown>) => void;

function refusals(shell: Shell): string[] {
  const hosts = shell.takeRefusedHosts();
  if (hosts.length === 0) return [];
  return [`Not among the hosts that the setting "shell.network" allows, and so refused: ${hosts.join(', ')}.`];
}
