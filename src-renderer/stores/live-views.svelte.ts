import { SvelteSet } from 'svelte/reactivity';

/** Views that are kept alive out of sight; each is a page with all that it holds. */
const MOST_KEPT = 6;

/** Which calls have a view that is shown, the newest last. */
export interface LiveViews {
  /** Those that stay when they are scrolled out of sight. */
  readonly kept: readonly string[];
  add(callId: string): void;
  remove(callId: string): void;
}

export function createLiveViews(): LiveViews {
  const shown = new SvelteSet<string>();
  const kept = $derived([...shown].slice(-MOST_KEPT));
  return {
    get kept() {
      return kept;
    },
    add: (callId) => shown.add(callId),
    remove: (callId) => shown.delete(callId),
  };
}
