import { readdirSync, readFileSync } from 'node:fs';
import type { SandboxUsage } from './contract.ts';

/** Processes looked at in one measurement; more than any policy allows. */
const MOST_PROCESSES = 1024;

/**
 * What a process and everything below it use now, from /proc: anonymous and shared memory (RssAnon and RssShmem of
 * proc_pid_status(5)). Memory that a fork shares with its parent counts twice. Undefined when the process is gone.
 */
export function measureTree(root: number): SandboxUsage | undefined {
  const waiting = [root];
  let memoryBytes = 0;
  let processes = 0;
  for (let pid = waiting.pop(); pid !== undefined && processes < MOST_PROCESSES; pid = waiting.pop()) {
    const memory = residentBytes(pid);
    if (memory === undefined) continue;
    memoryBytes += memory;
    processes += 1;
    waiting.push(...childrenOf(pid));
  }
  return processes === 0 ? undefined : { memoryBytes, processes };
}

function residentBytes(pid: number): number | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  let kilobytes = 0;
  for (const [, value] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(value);
  return kilobytes * 1024;
}

function childrenOf(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return threads.flatMap((thread) =>
    (read(`/proc/${pid}/task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
