import type { Foreground, TypedText } from '../../operator/index.ts';
import type { ToolContext } from '../contract.ts';
import type { Execution } from './execution.ts';
import { watchForInput } from './input-watch.ts';
import type { Shell } from './shell.ts';
import { endsWithin, stopCommand } from './stop-command.ts';

/** After an abort the call returns in this time even when the program does not end, in milliseconds. */
const ABORT_WAIT_MS = 60;

/** Why a call stopped following a command. */
export type Outcome =
  | { state: 'ended' }
  | { state: 'waiting'; foreground: Foreground; typing: TypedText }
  | { state: 'running'; foreground: Foreground | undefined }
  /** `stopped` tells later whether the shell is usable. */
  | { state: 'cancelled'; stopped: Promise<boolean> };

export interface FollowOptions {
  context: Pick<ToolContext, 'signal' | 'output'>;
  limitSeconds: number;
  /** Whether an aborted call takes the command with it. */
  stopOnAbort?: boolean;
}

/**
 * Follows a command until it ends, waits for input, reaches the limit (seconds), or the call is aborted; its output goes to the
 * call's live output meanwhile. The command goes on after that, unless it was the abort.
 */
export async function follow(
  shell: Shell,
  execution: Execution,
  { context, limitSeconds, stopOnAbort = true }: FollowOptions,
): Promise<Outcome> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  using _listening = execution.onOutput((bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    if (text) context.output.write(text);
  });
  const limit = Promise.withResolvers<Outcome>();
  const timer = setTimeout(
    () => limit.resolve({ state: 'running', foreground: shell.foreground() }),
    limitSeconds * 1000,
  );
  const onAbort = (): void => {
    const stopped = stopOnAbort ? stopCommand(shell, execution) : Promise.resolve(true);
    limit.resolve({ state: 'cancelled', stopped });
  };
  context.signal.addEventListener('abort', onAbort, { once: true });
  using watch = watchForInput(shell, execution);
  try {
    if (context.signal.aborted) onAbort();
    const outcome = await Promise.race([
      execution.done.then((): Outcome => ({ state: 'ended' })),
      watch.found.then(async (foreground): Promise<Outcome> => ({
        state: 'waiting',
        foreground,
        typing: await shell.typedText(),
      })),
      limit.promise,
    ]);
    // What it says when it is interrupted still belongs to the result.
    if (outcome.state === 'cancelled') await endsWithin(execution, ABORT_WAIT_MS);
    return outcome;
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
  }
}
