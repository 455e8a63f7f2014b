import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SYSTEM_PATH } from './programs.ts';

/**
 * Names a process beyond its number: `pid:start`, where start is when it began. Numbers are used again, so a number alone
 * must never be trusted after a restart. Undefined when no such process runs.
 */
export function processIdentity(pid: number): string | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedElsewhere(pid);
  return started === undefined ? undefined : `${pid}:${started}`;
}

/** True when the very process that this identity names still runs. */
export function isRunning(identity: string): boolean {
  const pid = Number(identity.split(':', 1)[0]);
  return Number.isInteger(pid) && pid > 0 && processIdentity(pid) === identity;
}

/** Field 22 of /proc/PID/stat, "starttime" in clock ticks since boot (proc_pid_stat(5)). A zombie counts as gone. */
function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startedElsewhere(pid: number): string | undefined {
  if (process.platform === 'win32') {
    try {
      process.kill(pid, 0);
      return 'unknown';
    } catch {
      return undefined;
    }
  }
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 2000,
      env: { PATH: SYSTEM_PATH },
    }).trim();
    return started.replace(/\s+/g, '_') || undefined;
  } catch {
    return undefined;
  }
}
