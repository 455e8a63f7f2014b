import { CommanderError } from 'commander';
import { CausewayError, describeError, type ErrorCode } from '../../../src-shared/index.ts';
import { BadUsage, CommandFailed } from './command.ts';
import { Fault, Interrupted } from './terminal.ts';

const EXIT_FAILED = 1;
const EXIT_BAD_USAGE = 2;
const HELP = 'Try --help.';

/** How a command ended that did not do its work, for the shell, for people and for programs. */
export interface Failure {
  exitCode: number;
  /** For stderr; undefined when there is nothing (more) to say. */
  said: string | undefined;
  /** What programs get: the same in parts. `failed`: the command ran, and what it did went wrong. */
  code: ErrorCode | 'failed';
  message: string;
  hint?: string;
}

/** @param signal that of the terminal: what ended the program counts more than what broke because of it. */
export function failureOf(error: unknown, { aborted, reason }: AbortSignal): Failure {
  if (aborted && reason instanceof Interrupted) {
    return { exitCode: reason.exitCode, said: undefined, code: 'cancelled', message: reason.message };
  }
  if (reason instanceof Fault) return failed('internal', reason.message);
  if (error instanceof CommanderError) return fromCommander(error);
  if (error instanceof BadUsage) return badUsage(error.message);
  if (error instanceof CommandFailed) {
    return { exitCode: EXIT_FAILED, said: error.message || undefined, code: 'failed', message: error.message };
  }
  if (error instanceof CausewayError) {
    const { code, message, hint } = error;
    return { ...failed(code, message), said: describeError(error), ...(hint !== undefined && { hint }) };
  }
  return failed('internal', describeError(error));
}

function failed(code: ErrorCode, message: string): Failure {
  return { exitCode: EXIT_FAILED, said: message, code, message };
}

function badUsage(message: string): Failure {
  return { exitCode: EXIT_BAD_USAGE, said: `${message} ${HELP}`, code: 'bad_input', message, hint: HELP };
}

/** Help and version were asked for, and are printed; help for a missing sub-command is bad usage. */
function fromCommander({ exitCode, code, message }: CommanderError): Failure {
  const failure = badUsage(asSentence(message));
  if (exitCode === 0) return { ...failure, exitCode: 0, said: undefined };
  if (code === 'commander.help') return { ...badUsage('The name of a command is missing.'), said: undefined };
  return failure;
}

/** "error: unknown option '--x'\n(Did you mean --y?)" as a plain sentence. */
function asSentence(message: string): string {
  const text = message
    .replace(/^error: /, '')
    .replace(/\s*\n\s*/g, ' ')
    .trim();
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?)]$/.test(capital) ? capital : `${capital}.`;
}
