import { createContext } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';

/** Which columns are shown. A narrow window loses the panel first, then the sessions; both come back as drawers. */
export interface Layout {
  /** The sessions as a drawer over the rest. */
  readonly sideOpen: boolean;
  readonly panelShown: boolean;
  /** The panel lies over the rest instead of beside it. */
  readonly panelFloats: boolean;
  readonly toggleSide: () => void;
  readonly closeSide: () => void;
  readonly togglePanel: () => void;
  readonly closePanel: () => void;
}

export function createLayout(): Layout {
  const roomy = new MediaQuery('min-width: 1160px');
  let sideOpen = $state(false);
  let beside = $state(true);
  let over = $state(false);
  return {
    get sideOpen() {
      return sideOpen;
    },
    get panelShown() {
      return roomy.current ? beside : over;
    },
    get panelFloats() {
      return !roomy.current;
    },
    toggleSide: () => (sideOpen = !sideOpen),
    closeSide: () => (sideOpen = false),
    togglePanel() {
      if (roomy.current) beside = !beside;
      else over = !over;
    },
    closePanel() {
      if (roomy.current) beside = false;
      else over = false;
    },
  };
}

export const [useLayout, provideLayout] = createContext<Layout>();
