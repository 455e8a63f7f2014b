import type { Limits } from '../limits.ts';
import { createBackoff } from './backoff.ts';

/** Starts a server again that ended by itself, after a wait that grows, and not for ever. */
export interface Restarts {
  /** A start is on its way. */
  readonly pending: boolean;
  /** Plans the next start. What comes of it, in a sentence for people. */
  plan(begin: () => void): string;
  /** A start has succeeded: from now on it counts as running. */
  up(): void;
  /** True when it was up since the person started it: only such a server is started again by itself. */
  readonly wasUp: boolean;
  /** Forgets everything: the person starts or stops it. */
  reset(): void;
}

export function createRestarts({ restart }: Pick<Limits, 'restart'>): Restarts {
  const backoff = createBackoff(restart);
  let timer: NodeJS.Timeout | undefined;
  let upSince: number | undefined;
  let wasUp = false;

  function cancel(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  return {
    get pending() {
      return timer !== undefined;
    },
    get wasUp() {
      return wasUp;
    },
    plan(begin) {
      cancel();
      const wait = backoff.next(upSince === undefined ? 0 : performance.now() - upSince);
      upSince = undefined;
      if (wait === undefined) {
        return `It was started again ${backoff.attempts} times and did not last, so it is left alone now. Restart it when the cause is mended.`;
      }
      timer = setTimeout(() => {
        timer = undefined;
        begin();
      }, wait);
      return `It is started again in ${seconds(wait)} (attempt ${backoff.attempts} of ${restart.attempts}).`;
    },
    up() {
      wasUp = true;
      upSince = performance.now();
    },
    reset() {
      cancel();
      backoff.reset();
      upSince = undefined;
      wasUp = false;
    },
  };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : ms === 1000 ? '1 second' : `${Math.round(ms / 1000)} seconds`;
}
