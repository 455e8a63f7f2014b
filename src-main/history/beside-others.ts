import { setTimeout as delay } from 'node:timers/promises';
import { CausewayError, type RevertReport } from '../../src-shared/index.ts';
import type { Journal } from './journal.ts';
import { ownerLives } from './owner.ts';
import type { Move } from './plan.ts';

/** How long others are waited for who make no progress, and how often they are looked at, in milliseconds. */
const PATIENCE_MS = 30_000;
const WAIT_MS = 20;

/**
 * Going back while another program goes back, too: whoever comes second must find nothing to do, and not call that a conflict.
 * Both plan by the same records, and each edit can be moved by one of them only (`Journal.begin`), so it is enough to look again:
 * what is refused for the same reason once more, while nobody writes there, is not refused because of somebody else.
 */
export interface BesideOthers {
  /** @param planned what is to be done as of now. */
  revert(run: () => Promise<RevertReport>, planned: () => readonly Move[]): Promise<RevertReport>;
  /** One move. @param paths where it may meet somebody else. */
  one<T>(paths: readonly string[], move: () => Promise<T>): Promise<T>;
}

export function createBesideOthers(journal: Journal, owner: string): BesideOthers {
  /** Where another program, or another journal of this one, is writing. */
  function busyPaths(): Set<string> {
    const others = journal.pending().filter((edit) => edit.owner !== owner && ownerLives(edit.owner));
    return new Set(others.map(({ path }) => path));
  }

  /** Decides whether a refusal stands, or another look is due; waits for those who are in the way. */
  function createJudge(): { begin(): void; stands(reason: string, paths: readonly string[]): Promise<boolean> } {
    let end = performance.now() + PATIENCE_MS;
    let told: string | undefined;
    let since = 0;
    let before = new Set<string>();
    return {
      begin() {
        since = journal.newestId();
        before = busyPaths();
      },
      async stands(reason, paths) {
        const now = busyPaths();
        const met = paths.some((path) => before.has(path) || now.has(path));
        const progress = journal.wroteSince(since, owner);
        if (progress) end = performance.now() + PATIENCE_MS;
        const alone = before.size === 0 && !progress;
        if ((!met && (alone || reason === told)) || performance.now() > end) return true;
        told = met ? undefined : reason;
        if (met) await delay(WAIT_MS);
        return false;
      },
    };
  }

  return {
    async revert(run, planned) {
      const judge = createJudge();
      const edits: RevertReport['edits'] = [];
      for (;;) {
        judge.begin();
        const { edits: made, left } = await run();
        edits.push(...made);
        if (left.length === 0) return { edits, left };
        const open = new Set(planned().map(({ edit }) => edit.id));
        const still = left.filter(({ editId }) => open.has(editId));
        const paths = left.map(({ path }) => path);
        if (await judge.stands(JSON.stringify(still), paths)) return { edits, left: still };
      }
    },
    async one(paths, move) {
      const judge = createJudge();
      for (;;) {
        judge.begin();
        try {
          return await move();
        } catch (error) {
          if (!(error instanceof CausewayError) || error.code !== 'conflict') throw error;
          if (await judge.stands(error.message, paths)) throw error;
        }
      }
    },
  };
}
