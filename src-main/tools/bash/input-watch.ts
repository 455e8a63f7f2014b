import type { Foreground } from '../../operator/index.ts';
import type { Execution } from './execution.ts';
import type { Shell } from './shell.ts';

/** Quiet time before the first look, in milliseconds. */
const FIRST_LOOK_MS = 300;
/** A second look must see the same program still reading, so that one that is just about to write is not mistaken. */
const SECOND_LOOK_MS = 100;
/** Longest time between looks. */
const LONGEST_PAUSE_MS = 2000;
/** Quiet time after which a program counts that waits for several things, or that we cannot look into. */
const UNSURE_QUIET_MS = 2000;

/**
 * Notices that the running command waits for somebody to type. Looks only while it is quiet, ever more seldom; disposing
 * ends it. Where the platform does not tell, it never says anything.
 */
export function watchForInput(shell: Shell, execution: Execution): { found: Promise<Foreground> } & Disposable {
  const { promise: found, resolve } = Promise.withResolvers<Foreground>();
  let timer: NodeJS.Timeout;
  let pause = FIRST_LOOK_MS;
  let seen: number | undefined;

  function look(): void {
    const quiet = execution.quietMs;
    if (quiet < FIRST_LOOK_MS) {
      pause = FIRST_LOOK_MS;
      seen = undefined;
      timer = setTimeout(look, FIRST_LOOK_MS - quiet);
      return;
    }
    const foreground = shell.foreground();
    if (foreground && isWaiting(foreground, execution)) {
      if (foreground.pid === seen) {
        resolve(foreground);
        return;
      }
      seen = foreground.pid;
      timer = setTimeout(look, SECOND_LOOK_MS);
      return;
    }
    seen = undefined;
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    timer = setTimeout(look, pause);
  }

  timer = setTimeout(look, FIRST_LOOK_MS);
  return { found, [Symbol.dispose]: () => clearTimeout(timer) };
}

function isWaiting({ reads }: Foreground, execution: Execution): boolean {
  if (reads === 'yes') return true;
  if (execution.quietMs < UNSURE_QUIET_MS) return false;
  return reads === 'maybe' || (reads === 'unknown' && looksLikePrompt(execution.recent.subarray(-200)));
}

/** A last line without an end, with what questions end in: `Password: `. */
export function looksLikePrompt(bytes: Uint8Array): boolean {
  const line = Buffer.from(bytes).toString('utf8').split('\n').at(-1) ?? '';
  return /[:?>$#\])]\s*$/.test(line);
}
