import { createContext } from 'svelte';
import { liveShells, type LiveShell } from '../timeline/live-shells.ts';
import { callsOf, type ShownImage } from '../timeline/select.ts';
import { createLiveViews, type LiveViews } from './live-views.svelte.ts';
import { createOpenSteps, type OpenSteps } from './open-steps.svelte.ts';
import type { SessionView } from './session.svelte.ts';

/** What the parts of one session's view share. */
export interface SessionContext {
  readonly view: SessionView;
  /** The folder the session works in. */
  readonly workspace: string | undefined;
  readonly openSteps: OpenSteps;
  /** The steps whose commands may still run. */
  readonly liveShells: ReadonlyMap<string, LiveShell>;
  /** Views that are shown now: their cards stay, also out of sight, so that they keep what the person did in them. */
  readonly liveViews: LiveViews;
  /** The picture shown large, if any. */
  readonly viewed: ShownImage | undefined;
  readonly look: (image: ShownImage | undefined) => void;
  /** The step to bring into sight; the timeline clears it. */
  target: string | undefined;
  /** A text to be put into the composer, which clears it. */
  draft: string | undefined;
}

export function createSessionContext(view: () => SessionView, workspace: () => string | undefined): SessionContext {
  let viewed = $state.raw<ShownImage>();
  let target = $state<string>();
  let draft = $state<string>();
  const live = $derived(liveShells(callsOf(view().timeline.items)));
  return {
    get view() {
      return view();
    },
    get workspace() {
      return workspace();
    },
    openSteps: createOpenSteps(),
    liveViews: createLiveViews(),
    get liveShells() {
      return live;
    },
    get viewed() {
      return viewed;
    },
    look: (image) => (viewed = image),
    get target() {
      return target;
    },
    set target(callId) {
      target = callId;
    },
    get draft() {
      return draft;
    },
    set draft(text) {
      draft = text;
    },
  };
}

export const [useSession, provideSession] = createContext<SessionContext>();
