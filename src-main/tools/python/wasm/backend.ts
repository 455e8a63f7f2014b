import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../../../sandbox/index.ts';
import type { PlacedWorker, WorkerLimits } from '../contract.ts';
import { createExecutor, type Executor } from '../executor.ts';
import { createWorker } from '../worker.ts';
import { startWasmProcess } from './process.ts';

const MEGABYTE = 1024 * 1024;
/** The interpreter alone takes some 200 MB. Processes are the shell that guards, and the worker. */
const LIMITS: WorkerLimits = {
  memoryBytes: 1536 * MEGABYTE,
  processes: 4,
  cores: 2,
  idleCpuMs: 10_000,
  outputBytes: 256 * MEGABYTE,
  ownFolder: '/lib/causeway',
  perProcess: {},
};
/** Threads of Node, too. */
const MOST_TASKS = 64;

/** There are no workspaces in here: all workers are alike. */
const NOWHERE = { workspace: 'nowhere' };

/**
 * Pyodide, a fresh locked-down process for every call, one of them waiting.
 * @throws CausewayError `unavailable` when the first one cannot be locked down or does not start.
 */
export async function createWasmBackend(parts: {
  assetsDir: string;
  wasmWorkerPath: string;
  nodePath: string;
  sandbox: Sandbox;
}): Promise<{ executor: Executor; python: string; runtime: string }> {
  const { assetsDir, wasmWorkerPath, nodePath, sandbox } = parts;
  const runner = readFileSync(path.join(assetsDir, 'python', 'causeway_runner.py'), 'utf8');

  async function start(): Promise<PlacedWorker> {
    const group = await sandbox.limit({ memoryBytes: LIMITS.memoryBytes, tasks: MOST_TASKS });
    const link = startWasmProcess({ nodePath, workerPath: wasmWorkerPath, measure: sandbox.measure, group });
    const worker = createWorker(link, LIMITS);
    link.send({ runner });
    return place(worker);
  }

  let first: PlacedWorker | undefined = await start();
  const { python, runtime } = await first.ready;
  const executor = createExecutor({
    kind: 'wasm',
    async boot() {
      const worker = first?.alive ? first : await start();
      first = undefined;
      return worker;
    },
    spares: 1,
    most: 2,
    sessions: 2,
  });
  executor.warm(NOWHERE);
  return {
    executor: {
      ...executor,
      run: (request) => executor.run({ ...request, place: NOWHERE }),
      warm: () => executor.warm(NOWHERE),
    },
    python,
    runtime,
  };
}

/** A worker that sees no workspace always fits, and has nothing to set right. */
function place(worker: ReturnType<typeof createWorker>): PlacedWorker {
  return {
    ready: worker.ready,
    get alive() {
      return worker.alive;
    },
    run: worker.run,
    kill: worker.kill,
    fits: () => Promise.resolve(true),
    settle: () => Promise.resolve([]),
  };
}
