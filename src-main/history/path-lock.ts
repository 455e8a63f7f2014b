/** Lets the works on one key run one after the other; different keys do not wait for each other. */
export interface KeyLock {
  run<T>(key: string | readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createKeyLock(): KeyLock {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const keys = typeof key === 'string' ? [key] : key;
      // Waiting for all and queueing on all is one step, so two works can never wait for each other.
      const before = Promise.allSettled(keys.map((one) => tails.get(one)));
      const mine = before.then(work);
      for (const one of keys) tails.set(one, mine);
      try {
        return await mine;
      } finally {
        for (const one of keys) if (tails.get(one) === mine) tails.delete(one);
      }
    },
  };
}
