import { randomBytes } from 'node:crypto';
import { syncLine } from './shell-script.ts';

/** How often bash is asked, and how long each answer may take, in milliseconds. */
const TRIES = 5;
const WAIT_MS = 200;

/** A word that nobody can guess, for one line that is typed. */
export function newSecret(): string {
  return randomBytes(8).toString('hex');
}

/** Finds out whether bash itself reads its terminal: types a line with a fresh secret, and waits for the answer. */
export interface Challenge {
  /** False when no answer came, after a few tries. Asked twice at the same time, it types once. */
  ask(): Promise<boolean>;
  /** Something claims to have read line `number`. */
  answer(number: number, secret: string): void;
  /** There is no bash any more. */
  end(): void;
}

export function createChallenge({ type, nextNumber }: { type(line: string): void; nextNumber(): number }): Challenge {
  let asking: Promise<boolean> | undefined;
  let open: { number: number; secret: string; resolve: (answered: boolean) => void } | undefined;
  let over = false;

  async function askOnce(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    open = { number: nextNumber(), secret: newSecret(), resolve };
    const timer = setTimeout(resolve, WAIT_MS, false);
    type(syncLine(open.number, open.secret));
    const answered = await promise;
    clearTimeout(timer);
    open = undefined;
    return answered;
  }

  async function askAgain(): Promise<boolean> {
    for (let tries = 0; tries < TRIES && !over; tries += 1) if (await askOnce()) return true;
    return false;
  }

  return {
    ask() {
      asking ??= askAgain().finally(() => (asking = undefined));
      return asking;
    },
    answer(number, secret) {
      if (open?.number === number && open.secret === secret) open.resolve(true);
    },
    end() {
      over = true;
      open?.resolve(false);
    },
  };
}
