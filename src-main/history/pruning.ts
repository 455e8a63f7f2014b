import type { PruneReport } from './contract.ts';

/** How long after an edit, and how often at most, in milliseconds. */
const DELAY_MS = 60_000;
const PAUSE_MS = 24 * 60 * 60 * 1000;

/** Prunes now and then where there is something to prune: a while after an edit, once a day. Nobody waits for it. */
export interface Pruning extends AsyncDisposable {
  /** Something was added. */
  soon(): void;
}

export function createPruning(prune: (signal: AbortSignal) => Promise<PruneReport>): Pruning {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let prunedAt = -Infinity;
  let working: Promise<unknown> = Promise.resolve();
  return {
    soon() {
      if (timer !== undefined || performance.now() - prunedAt < PAUSE_MS) return;
      timer = setTimeout(() => {
        timer = undefined;
        prunedAt = performance.now();
        // A full disk or a busy database: the next day is early enough.
        working = prune(ended.signal).catch(() => undefined);
      }, DELAY_MS);
      timer.unref();
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      ended.abort();
      await working;
    },
  };
}
