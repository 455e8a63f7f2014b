import { describeError } from '../../src-shared/index.ts';

/** Something that comes from the core: not here yet, here, or failed (then the last good value stays). */
export interface Loadable<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
  readonly loading: boolean;
  readonly load: () => Promise<void>;
  readonly set: (value: T) => void;
}

/** Loads when `load` is called. Answers that come out of order are dropped: the newest call counts. */
export function createLoadable<T>(fetch: () => Promise<T>): Loadable<T> {
  let value = $state.raw<T>();
  let error = $state<string>();
  let loading = $state(false);
  let newest = 0;

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    async load() {
      const mine = (newest += 1);
      loading = true;
      try {
        const loaded = await fetch();
        if (mine !== newest) return;
        value = loaded;
        error = undefined;
      } catch (failed) {
        if (mine === newest) error = describeError(failed);
      } finally {
        if (mine === newest) loading = false;
      }
    },
    set(next) {
      newest += 1;
      value = next;
      error = undefined;
      loading = false;
    },
  };
}
