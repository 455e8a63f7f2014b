import { SvelteMap } from 'svelte/reactivity';

/** Which steps a person opened or closed by hand; survives scrolling out of sight. */
export interface OpenSteps {
  get(callId: string): boolean | undefined;
  set(callId: string, open: boolean): void;
}

export function createOpenSteps(): OpenSteps {
  const chosen = new SvelteMap<string, boolean>();
  return {
    get: (callId) => chosen.get(callId),
    set: (callId, open) => chosen.set(callId, open),
  };
}
