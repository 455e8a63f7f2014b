/** Runs work one after the other, in the order in which it was asked for. */
export interface CallQueue {
  /**
   * @returns what `work` gives. What it hands to `after` is waited for before the next one begins, but not by this one's caller.
   * @throws the signal's reason when it aborts before the work's turn.
   */
  run<T>(signal: AbortSignal, work: (after: (cleaning: Promise<unknown>) => void) => Promise<T>): Promise<T>;
}

export function createCallQueue(): CallQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(signal, work) {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const onAbort = (): void => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      const cleaning: Promise<unknown>[] = [];
      const done = last.then(() => {
        signal.removeEventListener('abort', onAbort);
        signal.throwIfAborted();
        return work((promise) => cleaning.push(promise));
      });
      last = done.then(
        () => Promise.allSettled(cleaning),
        () => Promise.allSettled(cleaning),
      );
      return Promise.race([done, aborted]);
    },
  };
}
