import { setTimeout as delay } from 'node:timers/promises';
import { CausewayError, type EditState, type RevertReport } from '../../src-shared/index.ts';
import type { Journal } from './journal.ts';
import { ownerLives } from './owner.ts';
import type { Move } from './plan.ts';

/** How long somebody else's edit of a file is waited for, and how often it is looked at, in milliseconds. */
const PATIENCE_MS = 30_000;
const WAIT_MS = 20;

/**
 * Going back while another program goes back, too: whoever comes second must find nothing to do, and not call that a conflict.
 * Both plan by the same records, and each edit can be moved by one of them only (`Journal.begin`), so it is enough to look again.
 */
export interface BesideOthers {
  /** @param planned what is to be done as of now. */
  revert(run: () => Promise<RevertReport>, planned: () => readonly Move[]): Promise<RevertReport>;
  /** What it throws is true after everybody else is done. */
  one<T>(editId: number, move: () => Promise<T>): Promise<T>;
}

export function createBesideOthers(journal: Journal, owner: string): BesideOthers {
  /** True while another program, or another journal of this one, writes one of these paths. */
  function isBusy(paths: readonly string[]): boolean {
    return paths.some((path) => journal.pending(path).some((edit) => edit.owner !== owner && ownerLives(edit.owner)));
  }

  const stateOf = (editId: number): EditState | undefined => journal.find(editId)?.state;

  return {
    async revert(run, planned) {
      const end = performance.now() + PATIENCE_MS;
      const edits: RevertReport['edits'] = [];
      for (;;) {
        const { edits: made, left } = await run();
        edits.push(...made);
        if (left.length === 0) return { edits, left };
        const busy = isBusy(left.map(({ path }) => path));
        const open = new Set(planned().map(({ edit }) => edit.id));
        const still = left.filter(({ editId }) => open.has(editId));
        const isSettled = !busy && still.length === left.length;
        if (isSettled || performance.now() > end) return { edits, left: still };
        // What is below that of somebody else on the same path has not been tried yet.
        if (busy) await delay(WAIT_MS);
      }
    },
    async one(editId, move) {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        const before = stateOf(editId);
        try {
          return await move();
        } catch (error) {
          const isConflict = error instanceof CausewayError && error.code === 'conflict';
          if (!isConflict || performance.now() > end) throw error;
          const busy = isBusy([journal.find(editId)?.path ?? '']);
          if (!busy && stateOf(editId) === before) throw error;
          if (busy) await delay(WAIT_MS);
        }
      }
    },
  };
}
