/** Something that a view may do only with the person's yes. */
export interface ViewQuestion {
  readonly kind: 'link' | 'say';
  /** The address, or the message. */
  readonly text: string;
  readonly answer: (yes: boolean) => void;
}

/** A view that was told no this often asks no more. */
const MOST_REFUSALS = 3;

/** One question at a time: a view that asks while one waits is told no. */
export interface Questions {
  ask(kind: ViewQuestion['kind'], text: string): Promise<boolean>;
  /** Nobody will answer any more. */
  end(): void;
}

/** @param show gets the question that waits, and undefined when none does. */
export function createQuestions(show: (question: ViewQuestion | undefined) => void): Questions {
  let waiting: ViewQuestion | undefined;
  let refusals = 0;
  return {
    ask(kind, text) {
      if (waiting || refusals >= MOST_REFUSALS) return Promise.resolve(false);
      return new Promise((resolve) => {
        waiting = {
          kind,
          text,
          answer(yes) {
            if (!yes) refusals += 1;
            waiting = undefined;
            show(undefined);
            resolve(yes);
          },
        };
        show(waiting);
      });
    },
    end: () => waiting?.answer(false),
  };
}
