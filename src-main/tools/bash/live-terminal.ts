import { CausewayError } from '../../../src-shared/index.ts';
import type { Execution } from './execution.ts';
import type { LiveTerminal } from './live.ts';
import { COLUMNS, ROWS } from './render.ts';
import type { Shell } from './shell.ts';
import { stopCommand } from './stop-command.ts';

/** Smallest and largest size that a terminal is given, in columns or rows. */
const SIZES = { least: 1, most: 1000 };

/** A running command as a person sees it. Undefined when it has ended. */
export function liveTerminal(shell: Shell, execution: Execution): LiveTerminal | undefined {
  if (execution.completion) return undefined;
  return {
    command: execution.command,
    size: { columns: COLUMNS, rows: ROWS },
    snapshot: () => execution.recent,
    onData: execution.onOutput,
    onEnd(listener) {
      let listening = true;
      void execution.done.then(() => {
        if (listening) listener();
      });
      return { [Symbol.dispose]: () => void (listening = false) };
    },
    write(text) {
      if (execution.completion) {
        throw new CausewayError('conflict', 'The program has ended, so nothing reads what is typed.');
      }
      shell.type(text);
    },
    resize(columns, rows) {
      if (!execution.completion) shell.resize(within(columns), within(rows));
    },
    async stop() {
      if (!execution.completion) await stopCommand(shell, execution);
    },
    typedText: () => (execution.completion ? Promise.resolve('hidden') : shell.typedText()),
  };
}

function within(size: number): number {
  return Math.min(SIZES.most, Math.max(SIZES.least, Math.floor(size) || SIZES.least));
}
