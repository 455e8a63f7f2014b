import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Bench } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';

const run = promisify(execFile);
const CALLS = 20;
/** Calls come seconds apart in real work: long enough for the next worker to be waiting. In milliseconds. */
const PAUSE_MS = 300;

/**
 * One call of `python_execute` from the gateway to the result, with its sandbox gone again, against a bare new interpreter
 * that does the same.
 */
export const pythonWarm: Bench = {
  name: 'python.warm',
  async run({ call, signal }) {
    const samples: number[] = [];
    for (let index = 0; index < CALLS; index += 1) {
      const [sample] = await sampleMs(1, () => call('python_execute', { code: 'print(1+1)' }), {
        signal,
        warmUp: index === 0 ? 1 : 0,
      });
      if (sample !== undefined) samples.push(sample);
      await delay(PAUSE_MS, undefined, { signal });
    }
    // The program behind whatever shim stands first on PATH: the shim's own time is nobody's floor.
    const { stdout } = await run('python3', ['-c', 'import sys; print(sys.executable)'], { signal });
    const bare = (): Promise<unknown> => run(stdout.trim(), ['-c', 'print(1+1)'], { signal });
    const floor = median(await sampleMs(10, bare, { signal }));
    return toRow({
      name: 'python.warm',
      value: median(samples),
      unit: 'ms',
      floor,
      goal: 0.75,
      note: 'Floor: a new "python3 -c" without a sandbox. The call includes the log, and the end of the sandbox.',
    });
  },
};
