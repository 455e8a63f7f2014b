/** When something that ended is started again. */
export interface Backoff {
  /** How often it was started again without having lasted. */
  readonly attempts: number;
  /**
   * Milliseconds until the next start; undefined when there have been too many.
   * @param uptimeMs how long it has run now: one that lasted begins anew.
   */
  next(uptimeMs: number): number | undefined;
  reset(): void;
}

export interface BackoffOptions {
  firstMs: number;
  mostMs: number;
  /** Starts in a row. */
  attempts: number;
  /** What has run that long is no crash loop. */
  calmMs: number;
}

/** Doubles the wait each time. */
export function createBackoff({ firstMs, mostMs, attempts: most, calmMs }: BackoffOptions): Backoff {
  let attempts = 0;
  return {
    get attempts() {
      return attempts;
    },
    next(uptimeMs) {
      if (uptimeMs >= calmMs) attempts = 0;
      if (attempts >= most) return undefined;
      const wait = Math.min(mostMs, firstMs * 2 ** attempts);
      attempts += 1;
      return wait;
    },
    reset() {
      attempts = 0;
    },
  };
}
