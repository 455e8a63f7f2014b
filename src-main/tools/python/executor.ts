import type { BackendKind, Job, Outcome, Place, PlacedWorker } from './contract.ts';
import { createPool, keyOf, type Boot } from './pool.ts';
import { createSlots } from './slots.ts';
import { untilAborted } from './until-aborted.ts';

export interface ExecutorOptions {
  kind: BackendKind;
  boot: Boot;
  spares: number;
  /** Workers that run code at the same time; the other calls wait. */
  most: number;
  /** Kept workers of sessions; beyond that the one used longest ago is ended. */
  sessions: number;
}

export interface RunRequest {
  readonly place: Place;
  /** Names the session whose variables live on; without it nothing does. */
  readonly keep?: string;
  /** Forgets the variables of the session first. */
  readonly restart?: boolean;
  readonly job: Omit<Job, 'last'>;
}

interface KeptSession {
  worker?: PlacedWorker;
  /** Where the worker is. */
  place?: string;
  queue: Promise<unknown>;
  /** What the next call must be told, because no call was. */
  readonly untold: string[];
}

/** Runs code in workers: each in a fresh one, or a session's in the session's own. */
export interface Executor extends AsyncDisposable {
  readonly kind: BackendKind;
  run(request: RunRequest): Promise<Outcome>;
  /** Ends what is kept of a session, once its running calls have ended. False when there was nothing. */
  restart(keep: string): Promise<boolean>;
  /** Starts workers ahead of time. */
  warm(place: Place): void;
}

const AFRESH = 'The Python session was started afresh; variables of earlier calls are gone.';
/** Sessions whose variables are gone, until they are told. */
const MOST_UNTOLD = 1000;
const IDLE_MS = 10 * 60_000;
const PLACES = 2;

export function createExecutor(options: ExecutorOptions): Executor {
  const { kind, boot, spares, most, sessions } = options;
  const pool = createPool({ boot, spares, places: PLACES, idleMs: IDLE_MS });
  const slots = createSlots(most);
  const busy = new Set<PlacedWorker>();
  const kept = new Map<string, KeptSession>();
  const untold = new Map<string, string[]>();

  async function runOnce(place: Place, job: Job): Promise<Outcome> {
    const worker = await pool.take(place, job.code);
    busy.add(worker);
    try {
      const outcome = await worker.run(job);
      await worker.kill();
      return { ...outcome, notes: await worker.settle() };
    } finally {
      busy.delete(worker);
      // Also when it never got ready.
      await worker.kill();
      pool.fill(place);
    }
  }

  async function runKept({ place, restart = false }: RunRequest, keep: string, job: Job): Promise<Outcome> {
    const key = `${keep}\0${place.workspace}`;
    const session = kept.get(key) ?? { queue: Promise.resolve(), untold: untold.get(key) ?? [] };
    untold.delete(key);
    kept.delete(key);
    kept.set(key, session);
    const before = session.queue;
    const turn = untilAborted(before, job.signal).then(async () => {
      // Who waits for the session's turn holds nobody else up.
      using _slot = await slots.take(job.signal);
      const told = session.untold.splice(0).filter((note) => !restart || note !== AFRESH);
      if (restart) await forget(session);
      const notes = told;
      try {
        const outcome = await runInSession(place, session, job);
        return { ...outcome, notes: [...new Set([...notes, ...outcome.notes])] };
      } catch (error) {
        session.untold.unshift(...notes);
        throw error;
      }
    });
    session.queue = Promise.allSettled([before, turn]);
    return await turn.finally(() => dropOldest(key));
  }

  /**
   * As asked, so the next call need not be told. The workspace was set right after the last call, and nothing of the session has run since:
   * what is new in it is the person's own, and stays.
   */
  async function forget(session: KeptSession): Promise<void> {
    await session.worker?.kill();
    delete session.worker;
  }

  async function runInSession(place: Place, session: KeptSession, job: Job): Promise<Outcome> {
    const notes: string[] = [];
    const isThere = session.worker?.alive && session.place === keyOf(place) && (await session.worker.fits());
    if (session.worker && !isThere) {
      await session.worker.kill();
      notes.push(AFRESH);
      delete session.worker;
    }
    const hadVariables = session.worker !== undefined;
    const worker = (session.worker ??= await pool.take(place, job.code));
    session.place = keyOf(place);
    try {
      const outcome = await worker.run(job);
      if (outcome.ending !== 'finished') {
        delete session.worker;
        notes.push('The Python session ended with this call; its variables are gone.');
        // Whoever stopped it may not have waited for what it said.
        if (outcome.ending === 'cancelled') session.untold.push(AFRESH);
      }
      return { ...outcome, notes: [...notes, ...(await worker.settle())] };
    } catch (error) {
      delete session.worker;
      await worker.kill();
      session.untold.push(...notes, ...(hadVariables ? [AFRESH] : []), ...(await worker.settle()));
      throw error;
    }
  }

  /** A session that waits for nothing costs a process; only so many are kept. */
  function dropOldest(current: string): void {
    const others = [...kept].filter(([key]) => key !== current);
    for (const [key, session] of others.slice(0, Math.max(0, kept.size - sessions))) {
      kept.delete(key);
      remember(key, [...session.untold.splice(0), ...(session.worker ? [AFRESH] : [])]);
      void session.queue.then(async () => {
        await session.worker?.kill();
        remember(key, session.untold);
      });
    }
  }

  /** For the call that comes after all. */
  function remember(key: string, notes: readonly string[]): void {
    if (notes.length === 0) return;
    const now = kept.get(key);
    if (now) return void now.untold.push(...notes);
    untold.set(key, [...(untold.get(key) ?? []), ...notes]);
    const [oldest] = untold.keys();
    if (oldest !== undefined && untold.size > MOST_UNTOLD) untold.delete(oldest);
  }

  return {
    kind,
    async run(request) {
      const { place, keep, job } = request;
      if (keep !== undefined) return await runKept(request, keep, { ...job, last: false });
      using _slot = await slots.take(job.signal);
      return await runOnce(place, { ...job, last: true });
    },
    async restart(keep) {
      const sessions = [...kept].filter(([key]) => key.startsWith(`${keep}\0`)).map(([, session]) => session);
      const ended = sessions.map(async (session) => {
        await session.queue;
        const isThere = session.worker?.alive ?? false;
        // It stays where it is: the next call finds it dead, and says that the variables are gone.
        await session.worker?.kill();
        return isThere;
      });
      return (await Promise.all(ended)).includes(true);
    },
    warm: (place) => pool.fill(place),
    async [Symbol.asyncDispose]() {
      const sessionWorkers = [...kept.values()].map(({ worker }) => worker);
      await Promise.all([...busy, ...sessionWorkers].map((worker) => worker?.kill()));
      await pool[Symbol.asyncDispose]();
    },
  };
}
