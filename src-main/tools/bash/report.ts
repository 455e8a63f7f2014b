import { text, type ContentPart, type JsonObject, type ToolResult } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import type { Foreground } from '../../operator/index.ts';
import type { SandboxView } from './confinement.ts';
import type { Execution } from './execution.ts';
import type { Outcome } from './follow.ts';
import type { Limits } from './limits.ts';
import { outputText } from './output-text.ts';

const SHOWN_COMMAND = 80;

/** A command's first line, short enough for a sentence. */
export function nameOf(command: string): string {
  const line = command.trim().split('\n', 1)[0] ?? '';
  return line.length > SHOWN_COMMAND ? `${line.slice(0, SHOWN_COMMAND)}…` : line;
}

export interface ReportParts {
  execution: Execution;
  outcome: Outcome;
  sandbox: SandboxView;
  /** The shell's directory before and after. */
  before: string;
  directory: string;
  limits: Limits;
  /** Sentences that come before everything else. */
  notes: readonly string[];
  /** Output of earlier commands, not yet shown. */
  earlier: readonly ContentPart[];
  outputs: OutputStore;
  capBytes: number;
  /** The job's name and whole output, when it is one. */
  job?: { job: string; handle: string };
}

/** The result of a call that ran, or went on following, a command. Takes the execution's output since the last time. */
export async function report(parts: ReportParts): Promise<ToolResult> {
  const { execution, outcome, before, directory, outputs, capBytes, job } = parts;
  const output = await outputText(execution.take(), capBytes, outputs);
  const { completion } = execution;
  const notes = [...parts.notes, ...(completion ? endNotes(parts) : openNotes(parts))];
  if (directory !== before) notes.push(`The directory is now ${directory}.`);
  const structuredContent: JsonObject = {
    state: stateOf(parts),
    ...(completion && { exitCode: completion.exitCode }),
    cwd: directory,
    durationMs: Math.round(execution.durationMs * 1000) / 1000,
    ...runningOf(outcome, execution),
    sandbox: { ...parts.sandbox },
    ...(output.handle !== undefined && { handle: output.handle }),
    ...job,
  };
  return {
    content: [...parts.earlier, ...(output.text === '' ? [] : [text(output.text)])],
    isError: isError(parts),
    structuredContent,
    ...(notes.length > 0 && { system: notes.join('\n') }),
    ...(output.truncation && { truncation: output.truncation }),
  };
}

/** Whether a program in the foreground waits for typing, in words. */
const READS: Record<Foreground['reads'], string> = {
  yes: 'reads the terminal',
  maybe: 'waits for several things, typing among them',
  no: 'does not wait for typing',
  unknown: 'may wait for typing: the system hides it',
};

function stateOf({ outcome, execution, job }: ReportParts): string {
  if (outcome.state === 'cancelled') return 'cancelled';
  if (!execution.completion) return outcome.state;
  return execution.completion.shellEnded && !job ? 'shell-ended' : 'ended';
}

function isError({ outcome, execution, job }: ReportParts): boolean {
  if (outcome.state === 'cancelled') return true;
  if (execution.completion) return execution.completion.exitCode !== 0;
  // Looking at a job that runs is not a failure; running into a limit is.
  return outcome.state === 'running' && !job;
}

function endNotes({ outcome, execution, directory, job }: ReportParts): string[] {
  const notes: string[] = [];
  const { exitCode = 0, shellEnded = false } = execution.completion ?? {};
  if (outcome.state === 'cancelled') notes.push('The command was stopped because the call was cancelled.');
  if (job) return [...notes, `Job ${job.job} has ended with exit code ${exitCode}.`];
  if (shellEnded) {
    notes.push(
      `The shell itself ended with exit code ${exitCode}. The next command runs in a fresh one in ${directory}; ` +
        'variables, functions and jobs of the old one are gone.',
    );
  } else if (exitCode !== 0) {
    notes.push(`Exit code ${exitCode}.`);
  }
  return notes;
}

function openNotes({ outcome, execution, limits, job }: ReportParts): string[] {
  const name = nameOf(execution.command);
  if (job) return [`Job ${job.job} is running; its whole output is under handle ${job.handle}.`];
  switch (outcome.state) {
    case 'waiting': {
      const who = `Waiting for input: \`${programOf(outcome.foreground, execution)}\` reads the terminal`;
      if (outcome.typing === 'hidden') {
        return [
          `${who} and hides what is typed, as for a password. Do not make one up: the person can type it into the terminal ` +
            'on this card, where it is not kept. Then call with nothing to go on.',
        ];
      }
      return [
        `${who}. Answer with "input" (end it with \\n to press Enter; "\\u0003" interrupts), or send a new command, which ` +
          'stops it first.',
      ];
    }
    case 'running': {
      const { foreground, reached = 'total' } = outcome;
      const seconds = limits[reached];
      const why =
        reached === 'silence' ? `it has been silent for ${seconds} s` : `the limit of ${seconds} s is reached`;
      const what = foreground
        ? ` Running now: \`${programOf(foreground, execution)}\` (pid ${foreground.pid}), which ${READS[foreground.reads]}.`
        : '';
      return [
        `\`${name}\` still runs; ${why}.${what} It goes on: call with nothing to wait, with ` +
          '"input" to type into it ("\\u0003" interrupts), or with a new command, which stops it first.',
      ];
    }
    case 'cancelled':
      return [`The call was cancelled; \`${name}\` is being stopped.`];
    case 'ended':
      return [];
  }
}

/** The shell itself in the foreground is a builtin or a loop of the command. */
function programOf({ own, command }: Foreground, execution: Execution): string {
  return nameOf(own || command === '' ? execution.command : command);
}

function runningOf(outcome: Outcome, execution: Execution): JsonObject {
  if (outcome.state !== 'waiting' && outcome.state !== 'running') return {};
  const { foreground } = outcome;
  const typing = outcome.state === 'waiting' ? { typing: outcome.typing } : {};
  const limit = outcome.state === 'running' && outcome.reached ? { limit: outcome.reached } : {};
  if (!foreground) return limit;
  const { pid, reads } = foreground;
  return { ...limit, ...typing, running: { pid, command: programOf(foreground, execution), reads } };
}
