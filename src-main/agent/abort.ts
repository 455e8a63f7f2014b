/** Rejections of a promise nobody waits for any more must not end the program. */
const ignore = (): void => undefined;

/** A promise that rejects with the signal's reason when it aborts. Dispose it when the race is over. */
export function abortion(signal: AbortSignal): { promise: Promise<never> } & Disposable {
  let onAbort = ignore;
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  promise.catch(ignore);
  return { promise, [Symbol.dispose]: () => signal.removeEventListener('abort', onAbort) };
}

/**
 * Yields what `source` yields, and throws the signal's reason at the moment it aborts, even when the source takes no notice of
 * the signal. The source is told to finish, but not waited for.
 */
export async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  using aborted = abortion(signal);
  const iterator = source[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(ignore);
      const item = await Promise.race([next, aborted.promise]);
      if (item.done) {
        finished = true;
        return;
      }
      yield item.value;
    }
  } finally {
    if (!finished) void iterator.return?.().then(ignore, ignore);
  }
}

/** The promise's value; undefined when `graceMs` milliseconds have passed since the signal aborted and it is still not there. */
export async function withGrace<T>(promise: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = ignore;
  const tooLate = new Promise<undefined>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(undefined), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
