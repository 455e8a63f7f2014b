import { readFileSync } from 'node:fs';
import { listProcesses, readProcess, signalAll, withDescendants, type ProcessEntry } from '../platform/index.ts';
import type { Foreground } from './contract.ts';
import { readsTerminal } from './reads-terminal.ts';

/** Longest command line that is shown, in characters. */
const COMMAND_SHOWN = 200;

/** Who has the terminal whose session `leader` leads. Undefined where the platform does not tell; nobody is not undefined. */
export function findForeground(leader: number): Foreground | undefined {
  // Elsewhere than on Linux this would cost a process each time.
  if (process.platform !== 'linux') return undefined;
  const shell = readProcess(leader);
  if (!shell || shell.foregroundGroup <= 0) return undefined;
  const members = listProcesses().filter((entry) => entry.group === shell.foregroundGroup);
  const seen = members.map((entry) => ({ entry, reads: readsTerminal(entry.pid) }));
  const order = ['yes', 'maybe', 'unknown', 'no'];
  seen.sort((a, b) => order.indexOf(a.reads) - order.indexOf(b.reads) || byImportance(a.entry, b.entry, leader));
  const first = seen[0];
  // A short program has just ended, and bash has not taken the terminal back.
  if (!first) return { pid: leader, command: '', own: false, reads: 'no' };
  return {
    pid: first.entry.pid,
    command: commandOf(first.entry.pid),
    own: members.every((entry) => entry.pid === leader),
    reads: first.reads,
  };
}

/** The group's leader stands for the group, unless it is the shell itself. */
function byImportance(a: ProcessEntry, b: ProcessEntry, leader: number): number {
  const weight = (entry: ProcessEntry): number => (entry.pid === leader ? 2 : entry.pid === entry.group ? 0 : 1);
  return weight(a) - weight(b) || a.pid - b.pid;
}

/**
 * Signals everything in the foreground but the terminal's own program; with SIGKILL also all that descends from it.
 * False when there was nothing to signal.
 */
export function signalForeground(leader: number, signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): boolean {
  const table = listProcesses();
  const group = table.find((entry) => entry.pid === leader)?.foregroundGroup;
  const members = table.filter((entry) => entry.group === group && entry.pid !== leader);
  const reached = signal === 'SIGKILL' ? withDescendants(members, table) : members;
  signalAll(
    reached.filter((entry) => entry.pid !== leader),
    signal,
  );
  return reached.length > 0;
}

/** The only child of the only child of a process: what bubblewrap runs. Undefined while it is not there. */
export function grandchildOf(pid: number): number | undefined {
  const child = childOf(pid);
  return child === undefined ? undefined : childOf(child);
}

function childOf(pid: number): number | undefined {
  try {
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ', 1)[0];
    return first ? Number(first) : undefined;
  } catch {
    return undefined;
  }
}

function commandOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ');
    return line.length > COMMAND_SHOWN ? `${line.slice(0, COMMAND_SHOWN)}…` : line;
  } catch {
    return '';
  }
}
