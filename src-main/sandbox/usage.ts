import { readdirSync, readFileSync } from 'node:fs';
import type { SandboxUsage } from './contract.ts';
import type { ControlGroup } from './control-groups/group.ts';

/** Processes looked at in one measurement; more than any policy allows. */
const MOST_PROCESSES = 1024;

/**
 * What a process and everything below it use now, from /proc: anonymous and shared memory (RssAnon and RssShmem of
 * proc_pid_status(5)), and processor time. Memory that a fork shares with its parent counts twice; the time of a child whose
 * parent does not want to know of its end is lost with it. Undefined when the process is gone.
 */
export function measureTree(root: number): SandboxUsage | undefined {
  const waiting = [root];
  let memoryBytes = 0;
  let processes = 0;
  let cpuMs = 0;
  for (let pid = waiting.pop(); pid !== undefined && processes < MOST_PROCESSES; pid = waiting.pop()) {
    const memory = residentBytes(pid);
    if (memory === undefined) continue;
    memoryBytes += memory;
    processes += 1;
    cpuMs += processorMs(pid);
    waiting.push(...childrenOf(pid));
  }
  return processes === 0 ? undefined : { memoryBytes, processes, cpuMs };
}

/** The same of a sandbox whose limits the kernel holds, with what its control group knows better. */
export function measureLimited(root: number, group: ControlGroup | undefined): SandboxUsage | undefined {
  const usage = measureTree(root);
  if (!usage || !group) return usage;
  return { ...usage, cpuMs: group.cpuMs() ?? usage.cpuMs, outOfMemory: group.outOfMemory() };
}

function residentBytes(pid: number): number | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  let kilobytes = 0;
  for (const [, value] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(value);
  return kilobytes * 1024;
}

/** Milliseconds of a tick in /proc: 1/100 s on every machine that Linux runs on today. */
const TICK_MS = 10;

/** Fields 14 to 17 of proc_pid_stat(5): its own time, and that of children it has waited for. */
function processorMs(pid: number): number {
  const stat = read(`/proc/${pid}/stat`) ?? '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + (Number(ticks) || 0), 0) * TICK_MS;
}

/** A process and everything below it that is there now, by number. */
export function processesOf(root: number): number[] {
  const found = [root];
  for (let at = 0; at < found.length && at < MOST_PROCESSES; at += 1) found.push(...childrenOf(found[at] ?? 0));
  return found;
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
