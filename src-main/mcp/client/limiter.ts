/** Lets only so many pieces of work run at a time; the others wait their turn. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function createLimiter(atATime: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atATime) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
