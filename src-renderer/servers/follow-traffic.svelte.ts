import type { TrafficEntry } from '../../src-shared/index.ts';
import type { Rpc } from '../rpc/client.ts';

/** Messages that the window keeps of one server. */
const MOST = 1_000;
/** Between two looks, in milliseconds: a flood must not keep the window busy. */
const PACE_MS = 300;
/** Until the next look after one that failed, in milliseconds. */
const AGAIN_MS = 3_000;

/** What is said between a server and the core, as it comes. */
export interface FollowedTraffic {
  readonly entries: readonly TrafficEntry[];
  /** How many are not kept any more. */
  readonly missed: number;
  readonly known: boolean;
  readonly stop: () => void;
}

/** Asks for more as soon as the last answer has been taken in, so that the core never sends faster than the window reads. */
export function followTraffic(rpc: Rpc, name: () => string): FollowedTraffic {
  let entries = $state.raw<readonly TrafficEntry[]>([]);
  let missed = $state(0);
  let known = $state(false);
  let stopped = false;

  async function follow(): Promise<void> {
    for (let after = 0; !stopped;) {
      const page = await rpc.call('server.traffic', { name: name(), after, wait: known }).catch(() => undefined);
      if (stopped) return;
      known = true;
      if (page && (page.entries.length > 0 || page.missed > 0)) {
        const all = [...entries, ...page.entries];
        missed += page.missed + Math.max(0, all.length - MOST);
        entries = all.slice(-MOST);
        after = entries.at(-1)?.seq ?? after;
      }
      await new Promise((resolve) => setTimeout(resolve, page ? PACE_MS : AGAIN_MS));
    }
  }
  void follow();

  return {
    get entries() {
      return entries;
    },
    get missed() {
      return missed;
    },
    get known() {
      return known;
    },
    stop: () => (stopped = true),
  };
}
