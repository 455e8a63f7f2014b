import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { failure, type JsonObject, type ToolResult } from '../../../../src-shared/index.ts';
import { createLocalOperator, type Operator } from '../../../operator/index.ts';
import { createSandbox } from '../../../sandbox/index.ts';
import { createBashTool } from '../../../tools/bash/index.ts';
import type { Bench, BenchContext, BenchRow } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';

/** Round trips that are measured. */
const ROUND_TRIPS = 500;
/** Milliseconds that a round trip may take, whatever the floor is. */
const ROUND_TRIP_GOAL_MS = 0.5;
const DRAIN = 'seq 1 2000000';
const DRAIN_GOAL = 1.5;
const DRAIN_PAIRS = 5;

/** The shell's rows. The tool is measured by itself: what the log of a call costs is another row's business. */
export const shellBenches: Bench[] = [
  { name: 'shell.roundtrip', run: measureRoundTrip },
  { name: 'shell.drain', run: measureDrain },
];

async function measureRoundTrip(context: BenchContext): Promise<BenchRow> {
  await using shell = await openShell(context);
  const { signal } = context;
  const samples = await sampleMs(ROUND_TRIPS, () => shell.run('true'), { signal });
  const floor = median(await samplePipe(context));
  const sorted = samples.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return toRow({
    name: 'shell.roundtrip',
    value: median(samples),
    unit: 'ms',
    floor,
    goal: Number((ROUND_TRIP_GOAL_MS / floor).toPrecision(4)),
    note: `Median of ${ROUND_TRIPS} runs of true; 95 % within ${p95.toFixed(2)} ms. Floor: echo through a bare bash on a pipe. Goal: ${ROUND_TRIP_GOAL_MS} ms.`,
  });
}

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

async function measureDrain(context: BenchContext): Promise<BenchRow> {
  await using shell = await openShell(context);
  const { folder, signal } = context;
  const operator = await createLocalOperator({ workspace: folder });
  const values: number[] = [];
  const floors: number[] = [];
  // In turns, so that what else the machine does meets both alike.
  for (let pair = 0; pair < DRAIN_PAIRS; pair += 1) {
    values.push(...(await sampleMs(1, () => shell.run(DRAIN), { signal, warmUp: 0 })));
    floors.push(...(await sampleMs(1, () => drainTerminal(operator, signal), { signal, warmUp: 0 })));
  }
  return toRow({
    name: 'shell.drain',
    value: median(values) / 1000,
    unit: 's',
    floor: median(floors) / 1000,
    goal: DRAIN_GOAL,
    note: `${DRAIN}, about 15 MB, kept whole. Floor: a bare terminal whose bytes are only counted.`,
  });
}

async function drainTerminal(operator: Operator, signal: AbortSignal): Promise<number> {
  const terminal = operator.openTerminal({
    // Without the terminal's own translation of line ends, as in the tool: it takes longer than everything else.
    argv: ['sh', '-c', `stty -onlcr; exec ${DRAIN}`],
    cwd: operator.workspace,
    env: { PATH: process.env['PATH'] ?? '' },
    columns: 160,
    rows: 50,
  });
  let bytes = 0;
  terminal.onData((chunk) => {
    bytes += chunk.length;
  });
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  terminal.onExit(() => resolve(undefined));
  signal.addEventListener('abort', () => resolve(undefined), { once: true });
  await ended;
  if (signal.aborted) await terminal.kill();
  return bytes;
}

interface BenchShell extends AsyncDisposable {
  run(command: string): Promise<ToolResult>;
}

/** A bash tool of its own in the benchmark's folder. */
async function openShell({ app, folder, sessionId, signal }: BenchContext): Promise<BenchShell> {
  const operator = await createLocalOperator({ workspace: folder });
  const { outputs, settings } = app.store;
  const tool = createBashTool({
    ...{ outputs, settings: settings.get, runDir: `${folder}/run`, env: process.env },
    ...{ sandbox: createSandbox({ searchPath: process.env['PATH'] ?? '' }), home: app.store.home },
  });
  const context = {
    ...{ signal, sessionId, operator, callId: 'bench', caller: { kind: 'person' as const } },
    output: { write: () => undefined, progress: () => undefined },
    ask: () => Promise.reject(new Error('Benchmarks ask nothing.')),
  };
  async function run(command: string): Promise<ToolResult> {
    const input: JsonObject = { command };
    const result = await tool.execute(input, context).catch((error: unknown) => failure(String(error)));
    if (result.isError) throw new Error(`${command} failed in the benchmark's shell.`);
    return result;
  }
  return { run, [Symbol.asyncDispose]: () => tool[Symbol.asyncDispose]() };
}
