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

/** Runs code in workers: each in a fresh one, or a session's in the session's own. */
export interface Executor extends AsyncDisposable {
  readonly kind: BackendKind;
  /** `keep` names the session whose variables live on; without it nothing does. */
  run(request: { workspace: string; keep?: string; job: Omit<Job, 'last'> }): Promise<Outcome>;
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
  const kept = new Map<string, { worker?: PlacedWorker; queue: Promise<unknown> }>();

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

  async function runKept(workspace: string, keep: string, job: Job): Promise<Outcome> {
    const key = `${keep}\0${workspace}`;
    const session = kept.get(key) ?? { queue: Promise.resolve() };
    kept.delete(key);
    kept.set(key, session);
    const before = session.queue;
    const turn = untilAborted(before, job.signal).then(() => runInSession(workspace, session, job));
    session.queue = Promise.allSettled([before, turn]);
    return await turn.finally(() => dropOldest(key));
  }

  async function runInSession(workspace: string, session: { worker?: PlacedWorker }, job: Job): Promise<Outcome> {
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
    async run({ workspace, keep, job }) {
      using _slot = await slots.take(job.signal);
      if (keep === undefined) return await runOnce(workspace, { ...job, last: true });
      return await runKept(workspace, keep, { ...job, last: false });
    },
    warm: (workspace) => pool.fill(workspace),
    async [Symbol.asyncDispose]() {
      const sessionWorkers = [...kept.values()].map(({ worker }) => worker);
      await Promise.all([...busy, ...sessionWorkers].map((worker) => worker?.kill()));
      await pool[Symbol.asyncDispose]();
    },
  };
}
