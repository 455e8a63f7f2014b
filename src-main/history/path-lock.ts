/** Lets the works on one key run one after the other; different keys do not wait for each other. */
export interface KeyLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyLock(): KeyLock {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      tails.set(key, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(key) === mine) tails.delete(key);
      }
    },
  };
}
