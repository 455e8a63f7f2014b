import type { Execution } from './execution.ts';

/** How long a call follows a command, in seconds. */
export interface Limits {
  /** In all. */
  readonly total: number;
  /** Without output and without typing. */
  readonly silence: number;
}

/** Which of them was reached. */
export type ReachedLimit = keyof Limits;

/** What a call asks for, else what is usual. */
export function limitsOf(call: { timeout?: number | undefined; silence?: number | undefined }, usual: Limits): Limits {
  return { total: call.timeout ?? usual.total, silence: call.silence ?? usual.silence };
}

/** Tells when a running command reaches a limit. Disposing ends it. One timer each, set anew only after output. */
export function watchLimits(
  execution: Execution,
  { total, silence }: Limits,
): { reached: Promise<ReachedLimit> } & Disposable {
  const { promise: reached, resolve } = Promise.withResolvers<ReachedLimit>();
  // Silence before this call was the last one's.
  const startedAt = performance.now();
  const totalTimer = setTimeout(resolve, total * 1000, 'total');
  let silenceTimer: NodeJS.Timeout;

  function look(): void {
    const quiet = Math.min(execution.quietMs, performance.now() - startedAt);
    const left = silence * 1000 - quiet;
    if (left <= 0) resolve('silence');
    else silenceTimer = setTimeout(look, left);
  }

  silenceTimer = setTimeout(look, silence * 1000);
  return {
    reached,
    [Symbol.dispose]() {
      clearTimeout(totalTimer);
      clearTimeout(silenceTimer);
    },
  };
}
