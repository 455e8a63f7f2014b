import { CausewayError } from '../../../src-shared/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import { changes } from './boundary.ts';
import type { Send } from '../calls/file-call.ts';
import { entryAt, entryReallyAt, mountedPlaces } from './identity.ts';
import { linkWorker, type WorkerLink } from './link.ts';
import { WORKER_PATH, workerPolicy, type Kept } from './policy.ts';
import type { WorkerOptions } from './protocol.ts';

/** How often in a row a worker is started because the workspace changed under the one before. */
const MOST_STARTS = 4;

export interface KeeperParts {
  sandbox: Sandbox;
  workspace: string;
  access: 'read-write' | 'read-only';
  kept: Kept;
  /** The real path of Node. */
  node: string;
  /** The worker's text. */
  text: () => string;
  /** How long a worker may have nothing to do before it is ended, in milliseconds. */
  idleMs: number;
}

/** The way to one workspace's worker, which comes and goes behind it. */
export interface WorkerKeeper extends AsyncDisposable {
  readonly send: Send;
  /** @throws CausewayError when there can be no worker here. */
  ready(): Promise<void>;
}

interface Running {
  readonly link: WorkerLink;
  /** Identity of the folder it works in. */
  readonly folder: string;
  /** False when entries that must stay as they are were made or replaced since: it does not keep them yet. */
  keepsAll(): Promise<boolean>;
}

/** Starts a worker when one is first needed, and another when it has ended or the workspace is another folder than it was. */
export function keepWorker(parts: KeeperParts): WorkerKeeper {
  const { workspace, idleMs } = parts;
  const stopping = new Set<Promise<void>>();
  let current: Promise<Running | undefined> | undefined;
  let busy = 0;
  let idle: NodeJS.Timeout | undefined;
  let disposed = false;

  async function running({ toChange }: { toChange: boolean }): Promise<Running> {
    for (let starts = 0; starts < MOST_STARTS; starts += 1) {
      if (disposed) throw ended();
      const used = (current ??= start(parts));
      const one = await used.catch((error: unknown) => {
        if (current === used) current = undefined;
        throw error;
      });
      if (one?.link.alive && entryAt(workspace) === one.folder && (!toChange || (await one.keepsAll()))) return one;
      replace(used);
    }
    throw swapped(workspace);
  }

  /** Whoever notices first has it replaced; calls that still run in it come to their end. */
  function replace(used: Promise<Running | undefined>): void {
    if (current !== used) return;
    current = undefined;
    const stopped = used.then(
      async (one) => {
        await one?.link.settled();
        await one?.link.kill();
      },
      () => undefined,
    );
    stopping.add(stopped);
    void stopped.finally(() => stopping.delete(stopped));
  }

  async function keptBusy<T>(work: () => Promise<T>): Promise<T> {
    busy += 1;
    clearTimeout(idle);
    try {
      return await work();
    } finally {
      busy -= 1;
      if (busy === 0 && !disposed) idle = setTimeout(() => current && replace(current), idleMs).unref();
    }
  }

  return {
    send: (call, payload) =>
      keptBusy(async () => {
        const { link } = await running({ toChange: changes(call) });
        return link.call(call, payload);
      }),
    ready: () => keptBusy(async () => void (await running({ toChange: false }))),
    async [Symbol.asyncDispose]() {
      disposed = true;
      clearTimeout(idle);
      const last = await current?.catch(() => undefined);
      await last?.link.kill();
      await Promise.all(stopping);
    },
  };
}

/** Undefined when something was swapped while it started. */
async function start(parts: KeeperParts): Promise<Running | undefined> {
  const { sandbox, workspace, kept, node, text } = parts;
  const guard = await sandbox.guard(workspace, kept.protectedEntries);
  const options: WorkerOptions = { workspace, protectedEntries: kept.protectedEntries };
  const argv = [node, WORKER_PATH, JSON.stringify(options)] as const;
  const link = linkWorker(await sandbox.launch(workerPolicy({ ...parts, text: text() }), argv, workspace));
  try {
    const sees = await link.sees;
    // What was mounted is what had these paths at that moment, links followed. Only now can it be said what it is.
    const real = mountedPlaces(workspace, kept.protectedEntries).map((place) => entryReallyAt(place) ?? null);
    const [folder] = real;
    if (typeof folder === 'string' && real.every((identity, index) => identity === sees[index])) {
      return { link, folder, keepsAll: () => guard.holds() };
    }
  } catch (error) {
    await link.kill();
    throw error;
  }
  await link.kill();
  return undefined;
}

function swapped(workspace: string): CausewayError {
  return new CausewayError(
    'refused',
    `The workspace ${workspace}, or what is kept in it, is being replaced, or a link stands on the way to it.`,
    { hint: 'Try again; if it stays so, open the folder anew as the workspace, by its real path.' },
  );
}

function ended(): CausewayError {
  return new CausewayError('cancelled', 'Causeway is ending, so no files are edited any more.');
}
