/**
 * Waits for work, but not after the person has stopped the command: what the work itself started ends with the core.
 * @throws the reason of the signal.
 */
export async function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const onAbort = (): void => stopped.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
