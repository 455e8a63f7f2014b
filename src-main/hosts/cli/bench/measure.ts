import type { BenchRow } from './contract.ts';

/** How often a sample runs before counting begins, so that caches and compiled code are warm. */
const WARM_UP_RUNS = 3;

/** Milliseconds that each of `runs` counted runs took, after a few that are not counted. */
export async function sampleMs(
  runs: number,
  work: () => unknown,
  { signal, warmUp = WARM_UP_RUNS }: { signal?: AbortSignal; warmUp?: number } = {},
): Promise<number[]> {
  for (let run = 0; run < warmUp; run += 1) await work();
  const samples: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    signal?.throwIfAborted();
    const start = performance.now();
    await work();
    samples.push(performance.now() - start);
  }
  return samples;
}

/** The middle value; the mean of the two middle ones for an even count. NaN for none. */
export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The value that `share` (0 to 1) of the samples stay below or reach. NaN for none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** A row from what was measured: the ratio, and whether it reaches the goal. Values are rounded to what a person can read. */
export function toRow(measured: Omit<BenchRow, 'ratio' | 'ok'>): BenchRow {
  const ratio = measured.value / measured.floor;
  return {
    ...measured,
    value: round(measured.value),
    floor: round(measured.floor),
    ratio: round(ratio),
    ok: ratio <= measured.goal,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
