import type { BackendKind, Job, Outcome, PlacedWorker } from './contract.ts';
import { createPool, type Boot } from './pool.ts';
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
  readonly workspace: string;
  /** Names the session whose variables live on; without it nothing does. */
  readonly keep?: string;
  /** Forgets the variables of the session first. */
  readonly restart?: boolean;
  readonly job: Omit<Job, 'last'>;
}

interface KeptSession {
  worker?: PlacedWorker;
  queue: Promise<unknown>;
}

/** Runs code in workers: each in a fresh one, or a session's in the session's own. */
export interface Executor extends AsyncDisposable {
  readonly kind: BackendKind;
  run(request: RunRequest): Promise<Outcome>;
  /** Ends what is kept of a session, once its running calls have ended. False when there was nothing. */
  restart(keep: string): Promise<boolean>;
  /** Starts workers ahead of time. */
  warm(workspace: string): void;
}

const IDLE_MS = 10 * 60_000;
const WORKSPACES = 2;

export function createExecutor(options: ExecutorOptions): Executor {
  const { kind, boot, spares, most, sessions } = options;
  const pool = createPool({ boot, spares, workspaces: WORKSPACES, idleMs: IDLE_MS });
  const slots = createSlots(most);
  const busy = new Set<PlacedWorker>();
  const kept = new Map<string, KeptSession>();

  async function runOnce(workspace: string, job: Job): Promise<Outcome> {
    const worker = await pool.take(workspace, job.code);
    busy.add(worker);
    try {
      const outcome = await worker.run(job);
      await worker.kill();
      return { ...outcome, notes: await worker.settle() };
    } finally {
      busy.delete(worker);
      // Also when it never got ready.
      await worker.kill();
      pool.fill(workspace);
    }
  }

  async function runKept({ workspace, restart = false }: RunRequest, keep: string, job: Job): Promise<Outcome> {
    const key = `${keep}\0${workspace}`;
    const session = kept.get(key) ?? { queue: Promise.resolve() };
    kept.delete(key);
    kept.set(key, session);
    const before = session.queue;
    const turn = untilAborted(before, job.signal).then(async () => {
      const notes = restart ? await forget(session) : [];
      const outcome = await runInSession(workspace, session, job);
      return { ...outcome, notes: [...notes, ...outcome.notes] };
    });
    session.queue = Promise.allSettled([before, turn]);
    return await turn.finally(() => dropOldest(key));
  }

  /** As asked, so the next call need not be told. */
  async function forget(session: KeptSession): Promise<string[]> {
    const { worker } = session;
    if (!worker) return [];
    await worker.kill();
    delete session.worker;
    return await worker.settle();
  }

  async function runInSession(workspace: string, session: KeptSession, job: Job): Promise<Outcome> {
    const notes: string[] = [];
    if (session.worker && !(session.worker.alive && (await session.worker.fits()))) {
      await session.worker.kill();
      delete session.worker;
      notes.push('The Python session was started afresh; variables of earlier calls are gone.');
    }
    const worker = (session.worker ??= await pool.take(workspace, job.code));
    try {
      const outcome = await worker.run(job);
      if (outcome.ending !== 'finished') {
        delete session.worker;
        notes.push('The Python session ended with this call; its variables are gone.');
      }
      return { ...outcome, notes: [...notes, ...(await worker.settle())] };
    } catch (error) {
      delete session.worker;
      await worker.kill();
      throw error;
    }
  }

  /** A session that waits for nothing costs a process; only so many are kept. */
  function dropOldest(current: string): void {
    const others = [...kept].filter(([key]) => key !== current);
    for (const [key, { worker, queue }] of others.slice(0, Math.max(0, kept.size - sessions))) {
      kept.delete(key);
      void queue.then(() => worker?.kill());
    }
  }

  return {
    kind,
    async run(request) {
      const { workspace, keep, job } = request;
      using _slot = await slots.take(job.signal);
      if (keep === undefined) return await runOnce(workspace, { ...job, last: true });
      return await runKept(request, keep, { ...job, last: false });
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
    warm: (workspace) => pool.fill(workspace),
    async [Symbol.asyncDispose]() {
      const sessionWorkers = [...kept.values()].map(({ worker }) => worker);
      await Promise.all([...busy, ...sessionWorkers].map((worker) => worker?.kill()));
      await pool[Symbol.asyncDispose]();
    },
  };
}
