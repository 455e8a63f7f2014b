import { CausewayError } from '../../../src-shared/index.ts';

export interface DeadlineOptions {
  ms: number;
  signal?: AbortSignal;
  /** The error when time is up. */
  late?: () => Error;
}

/**
 * Waits for work, but not longer than `ms` and not after `signal` has aborted. The work itself is not ended by this: whoever
 * calls does that.
 */
export async function withDeadline<T>(work: Promise<T>, { ms, signal, late }: DeadlineOptions): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const timer = setTimeout(() => stopped.reject(late?.() ?? new CausewayError('timeout', 'It took too long.')), ms);
  const onAbort = (): void =>
    stopped.reject(new CausewayError('cancelled', 'It was stopped.', { cause: signal?.reason }));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  // What comes after the race is nobody's concern any more.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
