import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { processesOf } from '../usage.ts';

/*
 * A security boundary: while a sandbox is paused nothing in it runs, so that what was looked at outside stays so.
 *
 * It does NOT protect against: a process outside of the sandbox that continues one inside.
 */

const DEADLINE_MS = 2000;
/** A stop takes a moment on a quiet machine; after so many looks they are further apart. */
const QUICK_LOOKS = 20;

/**
 * Stops a sandbox's first process and everything below it. False when something did not stop, so that it must be ended. Two looks in a
 * row must find the same processes, all of their threads stopped: until then one of them may start another.
 */
export async function pauseAll(first: number): Promise<boolean> {
  const end = performance.now() + DEADLINE_MS;
  let before = '';
  for (let looks = 0; performance.now() < end; looks += 1) {
    const processes = processesOf(first);
    const moving = processes.filter((pid) => !isStopped(pid));
    if (moving.length === 0 && before === processes.join()) return true;
    before = moving.length === 0 ? processes.join() : '';
    for (const pid of moving) signal(pid, 'SIGSTOP');
    await (looks < QUICK_LOOKS ? turn() : delay(1));
  }
  return false;
}

/** Lets everything go on. */
export function resumeAll(first: number): void {
  for (const pid of processesOf(first)) signal(pid, 'SIGCONT');
}

/** The state of every thread (proc_pid_stat(5), field 3); what is gone, or a zombie, does nothing any more. */
function isStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
      return 'TZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2));
    });
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
  }
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just gone.
  }
}
