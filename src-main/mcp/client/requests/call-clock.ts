/** Watches how long a call takes: without a sign of life, and as a whole. Stands still while a person is asked. */
export interface CallClock extends Disposable {
  /** Aborts when time is up, and when the call is stopped. */
  readonly signal: AbortSignal;
  /** Which time is up. */
  readonly late: 'idle' | 'total' | undefined;
  /** The server has shown that it is alive. */
  beat(): void;
  /** Until all pauses have been disposed of, no time passes. */
  pause(): Disposable;
}

/** @param limits in milliseconds; the signal stops the call. */
export function createCallClock(limits: { idleMs: number; totalMs: number; signal?: AbortSignal }): CallClock {
  const controller = new AbortController();
  let late: 'idle' | 'total' | undefined;
  let totalLeft = limits.totalMs;
  let since = performance.now();
  let pauses = 0;
  let idle: NodeJS.Timeout | undefined;
  let total: NodeJS.Timeout | undefined;

  function expire(which: 'idle' | 'total'): void {
    late ??= which;
    controller.abort(new Error('time is up'));
  }

  // Not `AbortSignal.any`: it costs more than all the rest of a call, in time and in what is left to collect.
  const onStopped = (): void => controller.abort(limits.signal?.reason);
  if (limits.signal?.aborted) onStopped();
  else limits.signal?.addEventListener('abort', onStopped, { once: true });

  function run(): void {
    since = performance.now();
    idle = setTimeout(() => expire('idle'), limits.idleMs);
    total = setTimeout(() => expire('total'), totalLeft);
  }

  function halt(): void {
    clearTimeout(idle);
    clearTimeout(total);
  }

  run();
  return {
    signal: controller.signal,
    get late() {
      return late;
    },
    beat() {
      if (pauses === 0) idle?.refresh();
    },
    pause() {
      if (pauses === 0) {
        halt();
        totalLeft = Math.max(0, totalLeft - (performance.now() - since));
      }
      pauses += 1;
      let over = false;
      return {
        [Symbol.dispose]() {
          if (over) return;
          over = true;
          pauses -= 1;
          if (pauses === 0 && !controller.signal.aborted) run();
        },
      };
    },
    [Symbol.dispose]() {
      // Whoever still holds a pause must not set it going again.
      pauses += 1;
      halt();
      limits.signal?.removeEventListener('abort', onStopped);
    },
  };
}
