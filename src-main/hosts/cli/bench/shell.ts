import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Bench, BenchContext } from './contract.ts';
import { median, percentile, sampleMs, toRow } from './measure.ts';
import { openShell } from './shell-tool.ts';

/** Round trips that are measured. */
const ROUND_TRIPS = 500;
/** Milliseconds that a round trip may take, whatever the floor is. */
const GOAL_MS = 0.5;

/** What a command costs that does nothing. */
export const shellRoundTrip: Bench = {
  name: 'shell.roundtrip',
  async run(context) {
    await using shell = await openShell(context);
    const { signal } = context;
    const samples = await sampleMs(ROUND_TRIPS, () => shell.run('true'), { signal, warmUp: 50 });
    const floor = median(await samplePipe(context));
    return toRow({
      name: 'shell.roundtrip',
      value: median(samples),
      unit: 'ms',
      floor,
      goal: Number((GOAL_MS / floor).toPrecision(4)),
      note: `Median of ${ROUND_TRIPS} runs of true; 95 % within ${percentile(samples, 0.95).toFixed(2)} ms. Floor: echo through a bare bash on a pipe. Goal: ${GOAL_MS} ms.`,
    });
  },
};

/** What bash itself takes, without a terminal and without looking at anything. */
async function samplePipe({ folder, signal }: BenchContext): Promise<number[]> {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  try {
    return await sampleMs(
      ROUND_TRIPS,
      async () => {
        const answered = once(bash.stdout, 'data', { signal });
        bash.stdin.write('true; echo\n');
        await answered;
      },
      { signal },
    );
  } finally {
    bash.kill('SIGKILL');
  }
}
