import { describeError } from '../../src-shared/index.ts';

export interface Notice {
  readonly id: number;
  readonly text: string;
}

/**
 * Short words at the edge of the window about an action that failed. They stay until closed, or until the person goes to another page:
 * an error must not run away, nor stand over what it is not about.
 */
export interface Notices {
  readonly list: readonly Notice[];
  readonly show: (text: string) => void;
  readonly close: (id: number) => void;
  /** Closes those that were there before the person went to another page. */
  readonly leave: () => void;
  /** Does the work; when it fails, says so and gives undefined. */
  readonly guard: <T>(work: () => Promise<T>) => Promise<T | undefined>;
}

const MOST = 4;

export function createNotices(): Notices {
  let list = $state.raw<readonly Notice[]>([]);
  let nextId = 1;

  function show(text: string): void {
    if (list.some((notice) => notice.text === text)) return;
    list = [...list, { id: nextId, text }].slice(-MOST);
    nextId += 1;
  }

  return {
    get list() {
      return list;
    },
    show,
    close: (id) => (list = list.filter((notice) => notice.id !== id)),
    leave: () => (list = []),
    async guard(work) {
      try {
        return await work();
      } catch (error) {
        show(describeError(error));
        return undefined;
      }
    },
  };
}
