import type { TypedText } from '../../../src-shared/index.ts';
import type { Foreground } from '../../operator/index.ts';
import type { ToolContext } from '../contract.ts';
import type { Execution } from './execution.ts';
import { watchForInput } from './input-watch.ts';
import { watchLimits, type Limits, type ReachedLimit } from './limits.ts';
import type { Shell } from './shell.ts';
import { endsWithin, stopCommand } from './stop-command.ts';

/** After an abort the call returns in this time even when the program does not end, in milliseconds. */
const ABORT_WAIT_MS = 60;

/** Why a call stopped following a command. */
export type Outcome =
  | { state: 'ended' }
  | { state: 'waiting'; foreground: Foreground; typing: TypedText }
  /** Without a limit it was only looked at. */
  | { state: 'running'; foreground: Foreground | undefined; reached?: ReachedLimit }
  /** `stopped` tells later whether the shell is usable. */
  | { state: 'cancelled'; stopped: Promise<boolean> };

export interface FollowOptions {
  context: Pick<ToolContext, 'signal' | 'output'>;
  limits: Limits;
  /** Whether an aborted call takes the command with it. */
  stopOnAbort?: boolean;
}

/**
 * Follows a command until it ends, waits for input, reaches a limit, or the call is aborted; its output goes to the
 * call's live output meanwhile. The command goes on after that, unless it was the abort.
 */
export async function follow(
  shell: Shell,
  execution: Execution,
  { context, limits, stopOnAbort = true }: FollowOptions,
): Promise<Outcome> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  using _listening = execution.onOutput((bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    if (text) context.output.write(text);
  });
  const aborted = Promise.withResolvers<Outcome>();
  const onAbort = (): void => {
    const stopped = stopOnAbort ? stopCommand(shell, execution) : Promise.resolve(true);
    aborted.resolve({ state: 'cancelled', stopped });
  };
  context.signal.addEventListener('abort', onAbort, { once: true });
  using watch = watchForInput(shell, execution);
  using limit = watchLimits(execution, limits);
  try {
    if (context.signal.aborted) onAbort();
    const outcome = await Promise.race([
      execution.done.then((): Outcome => ({ state: 'ended' })),
      watch.found.then(async (foreground): Promise<Outcome> => ({
        state: 'waiting',
        foreground,
        typing: await shell.typedText(),
      })),
      limit.reached.then((reached): Outcome => ({ state: 'running', foreground: shell.foreground(), reached })),
      aborted.promise,
    ]);
    // What it says when it is interrupted still belongs to the result.
    if (outcome.state === 'cancelled') await endsWithin(execution, ABORT_WAIT_MS);
    return outcome;
  } finally {
    context.signal.removeEventListener('abort', onAbort);
  }
}
