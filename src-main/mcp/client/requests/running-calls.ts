import type { CallClock } from './call-clock.ts';

/** A call that a server is working on. */
export interface RunningCall {
  sessionId: string;
  callId: string;
  /** Aborts when the call is over. */
  signal: AbortSignal;
  clock: CallClock;
}

/** The calls that one server is working on. */
export interface RunningCalls {
  begin(call: RunningCall): Disposable;
  /**
   * The call on whose account a server asks. The protocol before 2026-07-28 does not say: it is the newest one where all are of one
   * session, and undefined otherwise.
   */
  asking(): RunningCall | undefined;
  /** Waits for work that a person does, without that time counting for any call. */
  paused<T>(work: () => Promise<T>): Promise<T>;
}

export function createRunningCalls(): RunningCalls {
  const running = new Set<RunningCall>();
  return {
    begin(call) {
      running.add(call);
      return { [Symbol.dispose]: () => void running.delete(call) };
    },
    asking() {
      const calls = [...running];
      const newest = calls.at(-1);
      return calls.every(({ sessionId }) => sessionId === newest?.sessionId) ? newest : undefined;
    },
    async paused(work) {
      const pauses = [...running].map(({ clock }) => clock.pause());
      try {
        return await work();
      } finally {
        for (const pause of pauses) pause[Symbol.dispose]();
      }
    },
  };
}
