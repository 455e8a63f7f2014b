import { createContext } from 'svelte';
import { MediaQuery } from 'svelte/reactivity';

const KEPT = 'causeway.diff';

/** Which columns are shown. A narrow window loses the panel first, then the sessions; both come back as drawers. */
export interface Layout {
  /** The sessions as a drawer over the rest. */
  readonly sideOpen: boolean;
  readonly panelShown: boolean;
  /** The panel lies over the rest instead of beside it. */
  readonly panelFloats: boolean;
  /** Changes are shown with the old file beside the new one, where there is room; remembered over visits. */
  readonly sideBySide: boolean;
  readonly toggleSideBySide: () => void;
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
  let sideBySide = $state(localStorage.getItem(KEPT) === 'side-by-side');
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
    get sideBySide() {
      return sideBySide;
    },
    toggleSideBySide() {
      sideBySide = !sideBySide;
      localStorage.setItem(KEPT, sideBySide ? 'side-by-side' : 'unified');
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
