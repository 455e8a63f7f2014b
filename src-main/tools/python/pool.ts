import type { PlacedWorker } from './contract.ts';

/** Starts a worker in a workspace: one for any code, or for this code, which waits for it. */
export type Boot = (workspace: string, code?: string) => Promise<PlacedWorker>;

/** Workers that were started ahead of time and wait: each is taken once and never comes back. */
export interface Pool extends AsyncDisposable {
  /** A waiting worker of this workspace, or one started now for this code. It belongs to the caller, who ends it. */
  take(workspace: string, code: string): Promise<PlacedWorker>;
  /** Starts what is missing, in the background; a failure shows when the next worker is taken. */
  fill(workspace: string): void;
}

export interface PoolOptions {
  boot: Boot;
  /** Workers that wait in a workspace. */
  spares: number;
  /** Workspaces that keep waiting workers; the one used longest ago loses them first. */
  workspaces: number;
  /** Waiting workers of a workspace that is not used for this long are ended, in milliseconds. */
  idleMs: number;
}

/** A waiting worker, perhaps still on its way. */
type Spare = Promise<PlacedWorker | undefined>;

export function createPool({ boot, spares, workspaces, idleMs }: PoolOptions): Pool {
  const waiting = new Map<string, { spares: Spare[]; idle: NodeJS.Timeout | undefined }>();
  let closed = false;

  /** Used last, so it stands last. */
  function touch(workspace: string): { spares: Spare[] } {
    const shelf = waiting.get(workspace) ?? { spares: [], idle: undefined };
    clearTimeout(shelf.idle);
    shelf.idle = setTimeout(() => void drop(workspace), idleMs).unref();
    waiting.delete(workspace);
    waiting.set(workspace, shelf);
    for (const other of [...waiting.keys()].slice(0, -workspaces)) void drop(other);
    return shelf;
  }

  async function drop(workspace: string): Promise<void> {
    const shelf = waiting.get(workspace);
    waiting.delete(workspace);
    clearTimeout(shelf?.idle);
    await Promise.all((shelf?.spares ?? []).map(async (spare) => await (await spare)?.kill()));
  }

  return {
    async take(workspace, code) {
      const shelf = touch(workspace);
      for (let spare = shelf.spares.shift(); spare; spare = shelf.spares.shift()) {
        const worker = await spare;
        if (!worker) continue;
        if (worker.alive && (await worker.fits())) return worker;
        void worker.kill();
      }
      return await boot(workspace, code);
    },
    fill(workspace) {
      if (closed) return;
      const shelf = touch(workspace);
      while (shelf.spares.length < spares) {
        shelf.spares.push(
          boot(workspace).then(
            (worker) => worker,
            () => undefined,
          ),
        );
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await Promise.all([...waiting.keys()].map(drop));
    },
  };
}
