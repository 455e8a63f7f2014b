import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline/promises';
import { CausewayError, describeError } from '../../../src-shared/index.ts';
import { printable } from './format.ts';

/** What a command may do to the terminal it runs in. */
export interface CliTerminal {
  /** The answer. Nothing else goes to stdout. */
  answer(text: string): void;
  /** Progress, notices and prompts: stderr. */
  say(text: string): void;
  /** True when a person sits at the terminal and can be asked. */
  readonly interactive: boolean;
  /**
   * Asks on stderr and reads one line from the terminal.
   * @param options `secret`: what is typed does not appear.
   * @throws CausewayError `unavailable` when nobody is there, and the reason of `signal` when it aborts.
   */
  ask(question: string, signal: AbortSignal, options?: { secret?: boolean }): Promise<string>;
  /** Calls back at every Enter of a person at the terminal, until disposed. */
  onLine(listener: () => void): Disposable;
  /** Aborts on Ctrl-C, on SIGTERM and SIGHUP, when nobody reads stdout any more, and after a fault. */
  readonly signal: AbortSignal;
}

/** Why a command was told to end; the exit code says so to the shell. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(reason: string, exitCode: number) {
    super(reason);
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}

/** A fault of Causeway's own, met where nobody waits for a result: what runs is ended in order, and the person is told. */
export class Fault extends Error {
  constructor(cause: unknown) {
    super(
      `Causeway met a fault of its own and had to end: ${describeError(cause)}. Start it again; nothing recorded is lost.`,
      {
        cause,
      },
    );
    this.name = 'Fault';
  }
}

/** After a fault the orderly end may hang: it gets this long, in milliseconds. */
const FAULT_GRACE_MS = 10_000;

/** Exit codes of programs ended by a signal: 128 and the signal's number (POSIX shells). */
const SIGNAL_EXITS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type EndSignal = keyof typeof SIGNAL_EXITS;
const END_SIGNALS: readonly EndSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** The process's own terminal. Call once; the second signal ends the program at once. */
export function createTerminal(): CliTerminal {
  const controller = new AbortController();
  for (const name of END_SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(SIGNAL_EXITS[name]);
      controller.abort(new Interrupted(`Stopped by ${name}.`, SIGNAL_EXITS[name]));
    });
  }
  // Also for promises that nobody looks after.
  process.on('uncaughtException', (error) => {
    const fault = new Fault(error);
    if (!controller.signal.aborted) controller.abort(fault);
    setTimeout(() => {
      process.stderr.write(`${fault.message}\n`);
      process.exit(1);
    }, FAULT_GRACE_MS).unref();
  });
  for (const stream of [process.stdout, process.stderr]) {
    // A reader that left (`| head`) is an ordinary end, not an error; for the others see `exit`.
    stream.on('error', () => controller.abort(new Interrupted('Nobody reads the output any more.', 0)));
  }
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return {
    answer: (text) => write(process.stdout, text),
    say: (text) => write(process.stderr, text),
    interactive,
    ask: async (question, signal, { secret = false } = {}) => {
      if (!interactive) {
        throw new CausewayError('unavailable', 'Nobody sits at this terminal.', {
          hint: 'Run it in a terminal, or pass --yes.',
        });
      }
      if (secret) process.stderr.write(printable(question));
      const lines = createInterface({
        input: process.stdin,
        // As a terminal that shows nothing: readline then takes the echo from the real one.
        ...(secret ? { output: new PassThrough().resume(), terminal: true } : { output: process.stderr }),
      });
      // readline catches Ctrl-C while it asks; hand it on.
      lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
      try {
        return await lines.question(printable(question), { signal: AbortSignal.any([signal, controller.signal]) });
      } finally {
        lines.close();
        if (secret) process.stderr.write('\n');
      }
    },
    onLine: (listener) => {
      const lines = interactive ? createInterface({ input: process.stdin }) : undefined;
      lines?.on('line', listener);
      return { [Symbol.dispose]: () => lines?.close() };
    },
    signal: controller.signal,
  };
}

/** Programs get every byte; a terminal, which would act on control characters, gets them escaped. */
function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${stream.isTTY ? printable(text) : text}\n`);
}

/** Ends the program once what was written has left it. An answer that could not be written whole is no success. */
export async function exit(code: number): Promise<never> {
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  const lost = process.stdout.errored;
  if (!lost || ('code' in lost && lost.code === 'EPIPE')) process.exit(code);
  process.stderr.write(`The answer could not be written whole: ${lost.message}. Make room, or write it elsewhere.\n`);
  await flushed(process.stderr);
  process.exit(code === 0 ? 1 : code);
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write('', () => resolve());
  });
}

/** Resolves when the signal aborts: for commands that serve until they are told to stop. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
