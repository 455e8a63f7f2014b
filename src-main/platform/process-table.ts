import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { SYSTEM_PATH } from './programs.ts';

/** One running process. Zombies are not listed: nothing of them runs. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the platform does not tell. */
  readonly session: number;
  /** The group that has the process's terminal, -1 for none or unknown. */
  readonly foregroundGroup: number;
  /** As `processIdentity` names it; undefined where finding out costs a process. */
  readonly identity: string | undefined;
}

/** Every process of this machine, as far as it can be seen. */
export function listProcesses(): ProcessEntry[] {
  if (process.platform === 'linux') return listFromProc();
  return process.platform === 'win32' ? [] : listFromPs();
}

/** One process of {@link listProcesses}, on Linux only. */
export function readProcess(pid: number): ProcessEntry | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // proc_pid_stat(5): after the name in brackets come state, ppid, pgrp, session, tty_nr, tpgid; starttime is field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    foregroundGroup: Number(fields[5]),
    identity: `${pid}:${fields[19]}`,
  };
}

function listFromProc(): ProcessEntry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readProcess(Number(name)))
    .filter((entry) => entry !== undefined);
}

function listFromPs(): ProcessEntry[] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,tpgid=,stat='], {
    encoding: 'utf8',
    timeout: 2000,
    env: { PATH: SYSTEM_PATH },
  });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length >= 5 && !fields[4]?.startsWith('Z'))
    .map(([pid, parent, group, foreground]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      foregroundGroup: Number(foreground),
      identity: undefined,
    }));
}
