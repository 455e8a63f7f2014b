import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BackendKind } from '../../../tools/python/index.ts';
import type { Bench, BenchContext, BenchRow } from './contract.ts';
import { sampleMs, toRow } from './measure.ts';

const run = promisify(execFile);
/** The owner's limits for a first call, in milliseconds. */
const LIMITS: Readonly<Record<BackendKind, number>> = { bubblewrap: 400, wasm: 2500 };
/** Workers that wait are there after this long, in milliseconds. */
const SETTLED_MS = 1500;

/** The first call after the start of the program: Python is looked for and started. */
export const pythonFirst: Bench = {
  name: 'python.first',
  run: (context) => firstCall('python.first', 'bubblewrap', context),
};

export const pythonFirstWasm: Bench = {
  name: 'python.first.wasm',
  run: (context) => firstCall('python.first.wasm', 'wasm', context),
};

async function firstCall(name: string, backend: BackendKind, { app, call, signal }: BenchContext): Promise<BenchRow> {
  const settings = app.store.settings.get();
  app.store.settings.set({ ...settings, python: { ...settings.python, backend } });
  const [value = Number.NaN] = await sampleMs(1, () => call('python_execute', { code: 'print(1+1)' }), {
    signal,
    warmUp: 0,
  });
  const floor = LIMITS[backend];
  return toRow({
    name,
    value,
    unit: 'ms',
    floor,
    goal: 1,
    note: 'Floor: the most that it may take; one call, in a new app.',
  });
}

/** What the workers that wait hold of memory, shared pages counted by their share. */
export const pythonIdle: Bench = {
  name: 'python.idle',
  async run({ app, call, signal }) {
    await call('python_execute', { code: 'print(1+1)' });
    await delay(SETTLED_MS, undefined, { signal });
    const { interpreter, packages } = await app.describePython();
    const program = packages.includes('numpy') ? 'import numpy' : '';
    const { stdout } = await run(interpreter ?? 'python3', [
      '-c',
      `${program}\nprint(open('/proc/self/smaps_rollup').read())`,
    ]);
    return toRow({
      name: 'python.idle',
      value: descendants(process.pid).reduce((sum, pid) => sum + ownMegabytes(`/proc/${pid}/smaps_rollup`), 0),
      unit: 'MB',
      floor: megabytes(stdout),
      goal: 3,
      note: 'All workers that wait, and what keeps them in. Floor: one new interpreter with NumPy loaded.',
    });
  },
};

function descendants(pid: number): number[] {
  const children = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function ownMegabytes(file: string): number {
  return megabytes(readOrEmpty(file));
}

/** "Pss" of smaps_rollup (proc_pid_smaps(5)). */
function megabytes(rollup: string): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1000;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It ended meanwhile.
    return '';
  }
}
