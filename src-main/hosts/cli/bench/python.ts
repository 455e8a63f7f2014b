import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Bench, BenchContext } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';

const run = promisify(execFile);
const CALLS = 30;
const FLOORS = 10;
const AT_ONCE = 100;
/** Calls come seconds apart in real work: long enough for the next worker to be waiting. In milliseconds. */
const PAUSE_MS = 400;
const CODE = 'print(1+1)';

/** From the moment a waiting worker is handed the code until its output and report are here, against a new interpreter. */
export const pythonResult: Bench = {
  name: 'python.result',
  async run(context) {
    const { results } = await warmCalls(context);
    return toRow({
      name: 'python.result',
      value: median(results),
      unit: 'ms',
      floor: await newInterpreterMs(context, FLOORS),
      goal: 1 / 40,
      note: 'Floor: a new "python3 -c \'import numpy\'" without a sandbox; the worker has NumPy loaded too, where it is installed.',
    });
  },
};

/** One call of `python_execute` from the gateway to the result, with its sandbox gone again. */
export const pythonWarm: Bench = {
  name: 'python.warm',
  async run(context) {
    const { calls } = await warmCalls(context);
    return toRow({
      name: 'python.warm',
      value: median(calls),
      unit: 'ms',
      floor: await newInterpreterMs(context, FLOORS),
      goal: 1 / 10,
      note: 'Floor: as for python.result. The call includes approval, the log, the look at the workspace, and the end of the sandbox.',
    });
  },
};

/** A hundred calls at once, each in a sandbox of its own, against as many new interpreters, two at a time. */
export const pythonMany: Bench = {
  name: 'python.many',
  async run(context) {
    const codes = Array.from({ length: AT_ONCE }, (_, index) => `print(${index} * 2)`);
    const [value = Number.NaN] = await sampleMs(
      1,
      () => Promise.all(codes.map((code) => context.call('python_execute', { code }))),
      {
        signal: context.signal,
        warmUp: 0,
      },
    );
    const floor = ((await newInterpreterMs(context, FLOORS)) * AT_ONCE) / 2;
    const note = 'Floor: a hundred new interpreters with NumPy, two at a time, without a sandbox.';
    return toRow({ name: 'python.many', value, unit: 'ms', floor, goal: 3, note });
  },
};

/** Milliseconds of whole calls, and of the results in them. */
async function warmCalls({ call, signal }: BenchContext): Promise<{ calls: number[]; results: number[] }> {
  const calls: number[] = [];
  const results: number[] = [];
  await call('python_execute', { code: CODE });
  for (let index = 0; index < CALLS; index += 1) {
    await delay(PAUSE_MS, undefined, { signal });
    const startedAt = performance.now();
    const { structuredContent } = await call('python_execute', { code: CODE });
    calls.push(performance.now() - startedAt);
    results.push(Number(structuredContent?.['durationMs']));
  }
  return { calls, results };
}

/** A new interpreter that imports NumPy where Causeway's Python has it. */
async function newInterpreterMs({ app, signal }: BenchContext, runs: number): Promise<number> {
  const { interpreter, packages } = await app.describePython();
  if (interpreter === null) throw new Error('There is no CPython in a sandbox here to compare with.');
  const code = packages.includes('numpy') ? 'import numpy' : 'pass';
  return median(await sampleMs(runs, () => run(interpreter, ['-c', code], { signal }), { signal }));
}
