import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CliTerminal } from './terminal.ts';

/** Options that (nearly) every command has. */
export interface CommonOptions {
  workspace?: string;
  json?: true;
}

/** Adds one command, or a family of them, to the program. */
export type AddCommand = (program: Command, terminal: CliTerminal) => void;

export const workspaceOption = (): Option =>
  new Option('--workspace <dir>', 'folder to work in (default: the current folder)');
export const jsonOption = (what: string): Option => new Option('--json', `print ${what} as JSON`);
export const portOption = (): Option =>
  new Option('--port <number>', 'port on 127.0.0.1 (default: a free one)').argParser(parsePort);

/** A command that could not do its work, after its answer was printed: the exit code says so. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}

/** Wrong arguments: exit code 2, with the sentence and where help is. */
export class BadUsage extends Error {
  override name = 'BadUsage';
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  }
  return port;
}

/** Reads a whole number of at least `smallest`. */
export function wholeNumber(what: string, smallest = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < smallest) {
      throw new InvalidArgumentError(`${what} is a whole number, ${smallest} or more.`);
    }
    return value;
  };
}
