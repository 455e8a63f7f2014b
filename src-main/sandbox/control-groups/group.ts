import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, processIdentity } from '../../platform/index.ts';
import type { SandboxLimits } from '../contract.ts';
import type { GroupPlace } from './place.ts';

/*
 * A security boundary: limits that the kernel holds for all processes of a sandbox together, those included that appear between
 * two looks of a watch.
 *
 * It does NOT protect against: use of the processor or of the disk; memory that other programs hold for the sandbox.
 */

/** A control group of one sandbox. */
export interface ControlGroup {
  /** Moves a process in; whatever it starts from then on is in, too. @throws the system's error. */
  enter(pid: number): Promise<void>;
  /** Processor time of all that was ever in it, in milliseconds; undefined where it is not counted. */
  cpuMs(): number | undefined;
  /** True when the kernel has ended something in it for want of memory. */
  outOfMemory(): boolean;
  /** Removes it, once it is empty. Never rejects. */
  close(): Promise<void>;
}

const PREFIX = 'causeway-';
/** How often, and how many milliseconds apart, a group is tried to be removed that may still hold a process about to go. */
const TRIES = 50;
const PAUSE_MS = 20;

let count = 0;

/** Makes a group with these limits. @throws the system's error when one of them cannot be set. */
export async function createControlGroup(place: GroupPlace, limits: SandboxLimits): Promise<ControlGroup> {
  count += 1;
  const name = `${PREFIX}${(processIdentity(process.pid) ?? String(process.pid)).replace(':', '-')}-${count}`;
  const memory = path.join(place.memory, name);
  const tasks = path.join(place.tasks, name);
  const cpu = place.cpu && path.join(place.cpu, name);
  const folders = [...new Set([memory, tasks, ...(cpu === undefined ? [] : [cpu])])];
  const group: ControlGroup = {
    async enter(pid) {
      for (const folder of folders) await writeFile(path.join(folder, 'cgroup.procs'), String(pid));
    },
    cpuMs() {
      if (cpu === undefined) return undefined;
      return place.version === 2
        ? numberAfter(path.join(cpu, 'cpu.stat'), 'usage_usec') / 1e3
        : numberAfter(path.join(cpu, 'cpuacct.usage'), '') / 1e6;
    },
    outOfMemory: () =>
      numberAfter(path.join(memory, place.version === 2 ? 'memory.events' : 'memory.oom_control'), 'oom_kill') > 0,
    close: async () => void (await Promise.all(folders.map(removeGroup))),
  };
  try {
    for (const folder of folders) await mkdir(folder);
    await setLimits(place.version, { memory, tasks }, limits);
    return group;
  } catch (error) {
    await group.close();
    throw error;
  }
}

async function setLimits(
  version: 1 | 2,
  { memory, tasks }: { memory: string; tasks: string },
  limits: SandboxLimits,
): Promise<void> {
  const bytes = String(limits.memoryBytes);
  await writeFile(path.join(tasks, 'pids.max'), String(limits.tasks));
  if (version === 2) {
    await writeFile(path.join(memory, 'memory.max'), bytes);
    // Swapping would only make it slow; systems without swap have no such file. The whole sandbox goes, not a part of it.
    await optional(path.join(memory, 'memory.swap.max'), '0');
    await optional(path.join(memory, 'memory.oom.group'), '1');
  } else {
    await writeFile(path.join(memory, 'memory.limit_in_bytes'), bytes);
    await optional(path.join(memory, 'memory.memsw.limit_in_bytes'), bytes);
  }
}

/**
 * Ends what is in groups of Causeways that no longer run, and removes them: a sandbox that was just being made when its Causeway was
 * killed does not end by itself. Never rejects.
 */
export async function removeLeftGroups(place: GroupPlace): Promise<void> {
  const parents = new Set([place.memory, place.tasks, ...(place.cpu === undefined ? [] : [place.cpu])]);
  for (const parent of parents) {
    const names = await readdir(parent).catch((): string[] => []);
    for (const name of names) {
      const [, pid, started] = /^causeway-(\d+)-(\d+)-\d+$/.exec(name) ?? [];
      if (pid === undefined || isRunning(`${pid}:${started}`)) continue;
      const folder = path.join(parent, name);
      await killAll(folder);
      await removeGroup(folder);
    }
  }
}

async function optional(file: string, value: string): Promise<void> {
  await writeFile(file, value, { flag: 'r+' }).catch(() => undefined);
}

async function killAll(folder: string): Promise<void> {
  const listed = await readFile(path.join(folder, 'cgroup.procs'), 'latin1').catch(() => '');
  // A process that this one cannot see is listed as 0, which would mean this one's own group.
  const pids = listed.split('\n').map(Number);
  for (const pid of pids.filter((one) => one > 1)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just gone, or belongs to somebody else.
    }
  }
}

async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const isGone = await rmdir(folder).then(
      () => true,
      (error: NodeJS.ErrnoException) => error.code !== 'EBUSY',
    );
    if (isGone) return;
    // Also at the very end of the program: an empty group stays until somebody removes it.
    await delay(PAUSE_MS);
  }
}

/** The number in a line that begins with `word`; 0 when there is none. */
function numberAfter(file: string, word: string): number {
  try {
    const text = readFileSync(file, 'latin1');
    return Number(new RegExp(`^${word}\\s*(\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  } catch {
    // The group is gone.
    return 0;
  }
}
