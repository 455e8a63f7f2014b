import { CausewayError } from '../../../src-shared/index.ts';

/** What one view may have the server do: a view that asks again every second is fine, one in a loop is not. */
const MOST_AT_ONCE = 4;
const MOST_PER_MINUTE = 90;
const MINUTE_MS = 60_000;

/** Counts what each view asks for. */
export interface CallLimits {
  /**
   * Runs `work` for a view.
   * @throws CausewayError `refused` when it asks for too much.
   */
  within<T>(view: string, work: () => Promise<T>): Promise<T>;
}

export function createCallLimits(now: () => number = () => performance.now()): CallLimits {
  const views = new Map<string, { running: number; begun: number[] }>();
  return {
    async within(view, work) {
      const at = now();
      const count = views.get(view) ?? { running: 0, begun: [] };
      views.set(view, count);
      count.begun = count.begun.filter((time) => at - time < MINUTE_MS);
      if (count.running >= MOST_AT_ONCE) {
        throw new CausewayError('refused', `The view has ${MOST_AT_ONCE} calls under way, and no more are allowed.`);
      }
      if (count.begun.length >= MOST_PER_MINUTE) {
        throw new CausewayError(
          'refused',
          `The view made ${MOST_PER_MINUTE} calls within a minute, which is too many.`,
        );
      }
      count.begun.push(at);
      count.running += 1;
      try {
        return await work();
      } finally {
        count.running -= 1;
      }
    },
  };
}
