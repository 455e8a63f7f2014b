import type { RevertReport } from '../../src-shared/index.ts';

type Left = RevertReport['left'][number];

/** Edits that could not be taken back because their files have changed since: one after the other is shown to the person. */
export interface Conflicts {
  readonly current: Left | undefined;
  readonly count: number;
  /** What taking back left as it was. Folders that are not empty are no question to anybody. @param onend when all are settled or left. */
  readonly show: (left: readonly Left[], onend?: () => unknown) => void;
  /** On to the next one. */
  readonly next: () => void;
  readonly close: () => void;
}

export function createConflicts(): Conflicts {
  let left = $state.raw<readonly Left[]>([]);
  let ended: (() => unknown) | undefined;

  function become(now: readonly Left[]): void {
    left = now;
    if (left.length > 0) return;
    ended?.();
    ended = undefined;
  }

  return {
    get current() {
      return left[0];
    },
    get count() {
      return left.length;
    },
    show(more, onend) {
      const questions = more.filter(({ entry }) => entry !== 'folder');
      if (questions.length > 0) ended = onend;
      left = questions;
    },
    next: () => become(left.slice(1)),
    close: () => become([]),
  };
}
