import type { RevertReport } from '../../src-shared/index.ts';

type Left = RevertReport['left'][number];

/** Edits that could not be taken back because their files have changed since: one after the other is shown to the person. */
export interface Conflicts {
  readonly current: Left | undefined;
  readonly count: number;
  /** What taking back left as it was. Folders that are not empty are no question to anybody. */
  readonly show: (left: readonly Left[]) => void;
  /** On to the next one. */
  readonly next: () => void;
  readonly close: () => void;
}

export function createConflicts(): Conflicts {
  let left = $state.raw<readonly Left[]>([]);
  return {
    get current() {
      return left[0];
    },
    get count() {
      return left.length;
    },
    show: (more) => (left = more.filter(({ entry }) => entry !== 'folder')),
    next: () => (left = left.slice(1)),
    close: () => (left = []),
  };
}
