import { open } from 'node:fs/promises';
import path from 'node:path';
import type { Bench, BenchContext, BenchRow } from './contract.ts';
import { median, sampleMs, toRow } from './measure.ts';
import { drainPipe, drainTerminal, openShell } from './shell-tool.ts';

const GOAL = 1.5;
const MEGABYTE = 1024 * 1024;
const CAT_MEGABYTES = 100;
const MEMORY_MEGABYTES = 200;
/** Megabytes that the program may grow by, whatever the floor is. */
const MEMORY_GOAL_MB = 50;
/** How often memory is looked at, in milliseconds. */
const LOOK_MS = 5;

/** Many short lines. */
export const shellDrain: Bench = {
  name: 'shell.drain',
  run: (context) => measureDrain(context, 'shell.drain', { argv: ['seq', '1', '2000000'], what: '15 MB', rounds: 5 }),
};

/** As much as comes, in chunks as large as they come. */
export const shellDrainCat: Bench = {
  name: 'shell.drain.cat',
  async run(context) {
    const file = await writeText(context, CAT_MEGABYTES);
    return measureDrain(context, 'shell.drain.cat', { argv: ['cat', file], what: `${CAT_MEGABYTES} MB`, rounds: 3 });
  },
};

/** What the program's memory grows by while much more than it may hold goes through. */
export const shellMemory: Bench = {
  name: 'shell.memory',
  async run(context) {
    const file = await writeText(context, MEMORY_MEGABYTES);
    await using shell = await openShell(context);
    await shell.run('seq 1 100000');
    // First, so that it finds no room that the floor has made.
    const value = await growthOf(() => shell.run(`cat ${file}`));
    const floor = Math.max(1, await growthOf(() => drainTerminal(context, ['cat', file])));
    return toRow({
      ...{ name: 'shell.memory', value, unit: 'MB', floor },
      goal: Number((MEMORY_GOAL_MB / floor).toPrecision(4)),
      note: `Growth of the resident memory, at its peak, while ${MEMORY_MEGABYTES} MB are drained and kept whole. Floor: a bare terminal whose bytes are only counted. Goal: ${MEMORY_GOAL_MB} MB.`,
    });
  },
};

async function measureDrain(
  context: BenchContext,
  name: string,
  { argv, what, rounds }: { argv: readonly [string, ...string[]]; what: string; rounds: number },
): Promise<BenchRow> {
  await using shell = await openShell(context);
  const once = { signal: context.signal, warmUp: 0 };
  const values: number[] = [];
  const floors: number[] = [];
  const pipes: number[] = [];
  // In turns, so that what else the machine does meets all alike.
  for (let round = 0; round < rounds; round += 1) {
    values.push(...(await sampleMs(1, () => shell.run(argv.join(' ')), once)));
    floors.push(...(await sampleMs(1, () => drainTerminal(context, argv), once)));
    pipes.push(...(await sampleMs(1, () => drainPipe(context, argv), once)));
  }
  return toRow({
    name,
    value: median(values) / 1000,
    unit: 's',
    floor: median(floors) / 1000,
    goal: GOAL,
    note: `${argv[0]}, ${what}, kept whole. Floor: a bare terminal whose bytes are only counted. Through a raw pipe: ${(median(pipes) / 1000).toFixed(3)} s.`,
  });
}

/** In pieces: memory that this took would hide what is measured. */
async function writeText({ folder }: BenchContext, megabytes: number): Promise<string> {
  const file = path.join(folder, 'text');
  const line = `${'A line of text as programs write them, '.repeat(2)}and its end.\n`;
  const piece = Buffer.from(line.repeat(Math.ceil(MEGABYTE / line.length)));
  await using handle = await open(file, 'w');
  for (let written = 0; written < megabytes; written += 1) await handle.write(piece);
  return file;
}

/** Megabytes at the peak beyond those before. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), LOOK_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (Math.max(peak, process.memoryUsage.rss()) - before) / MEGABYTE;
}
