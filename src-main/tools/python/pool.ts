import type { Place, PlacedWorker } from './contract.ts';

/** Starts a worker: one for any code, or for this code, which waits for it. */
export type Boot = (place: Place, code?: string) => Promise<PlacedWorker>;

/** Workers that were started ahead of time and wait: each is taken once and never comes back. */
export interface Pool extends AsyncDisposable {
  /** A waiting worker of this place, or one started now for this code. It belongs to the caller, who ends it. */
  take(place: Place, code: string): Promise<PlacedWorker>;
  /** Starts what is missing, in the background; a failure shows when the next worker is taken. */
  fill(place: Place): void;
}

export interface PoolOptions {
  boot: Boot;
  /** Workers that wait in a place. */
  spares: number;
  /** Places that keep waiting workers; the one used longest ago loses them first. */
  places: number;
  /** Waiting workers of a place that is not used for this long are ended, in milliseconds. */
  idleMs: number;
}

/** A waiting worker, perhaps still on its way. */
type Spare = Promise<PlacedWorker | undefined>;

export function createPool({ boot, spares, places, idleMs }: PoolOptions): Pool {
  const waiting = new Map<string, { spares: Spare[]; idle: NodeJS.Timeout | undefined }>();
  let closed = false;

  /** Used last, so it stands last. */
  function touch(place: Place): { spares: Spare[] } {
    const key = keyOf(place);
    const shelf = waiting.get(key) ?? { spares: [], idle: undefined };
    clearTimeout(shelf.idle);
    shelf.idle = setTimeout(() => void drop(key), idleMs).unref();
    waiting.delete(key);
    waiting.set(key, shelf);
    for (const other of [...waiting.keys()].slice(0, -places)) void drop(other);
    return shelf;
  }

  async function drop(key: string): Promise<void> {
    const shelf = waiting.get(key);
    waiting.delete(key);
    clearTimeout(shelf?.idle);
    await Promise.all((shelf?.spares ?? []).map(async (spare) => await (await spare)?.kill()));
  }

  return {
    async take(place, code) {
      const shelf = touch(place);
      for (let spare = shelf.spares.shift(); spare; spare = shelf.spares.shift()) {
        const worker = await spare;
        if (!worker) continue;
        if (worker.alive && (await worker.fits())) return worker;
        void worker.kill();
      }
      return await boot(place, code);
    },
    fill(place) {
      if (closed) return;
      const shelf = touch(place);
      while (shelf.spares.length < spares) {
        shelf.spares.push(
          boot(place).then(
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

/** The same for places that a worker may stand in for each other. */
export function keyOf({ workspace, packages }: Place): string {
  return JSON.stringify([workspace, packages?.folder, packages?.edition]);
}
