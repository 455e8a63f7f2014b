/** So many at a time; the others wait in the order they came. */
export interface Slots {
  /** Resolves with the way to give the slot back. Rejects with the signal's reason when it aborts while waiting. */
  take(signal: AbortSignal): Promise<Disposable>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];

  function slot(): Disposable {
    let held = true;
    return {
      [Symbol.dispose]() {
        if (!held) return;
        held = false;
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      },
    };
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return slot();
      }
      const { promise, resolve, reject } = Promise.withResolvers<undefined>();
      const enter = (): void => resolve(undefined);
      const onAbort = (): void => {
        const place = waiting.indexOf(enter);
        // Not waiting any more: the slot is already ours.
        if (place < 0) return;
        waiting.splice(place, 1);
        reject(signal.reason);
      };
      waiting.push(enter);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        await promise;
        return slot();
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
