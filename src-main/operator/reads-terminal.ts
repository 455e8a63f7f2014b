import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/**
 * `yes`: waits for a terminal and nothing else. `maybe`: waits for several things, a terminal among them. `no`: neither.
 * `unknown`: the system does not let us look (another user's program, such as sudo).
 */
export type ReadsTerminal = 'yes' | 'maybe' | 'no' | 'unknown';

/** System call numbers: Linux, arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h. */
const CALLS: Partial<Record<string, Record<number, 'read' | 'poll' | 'select' | 'epoll'>>> = {
  x64: { 0: 'read', 19: 'read', 7: 'poll', 271: 'poll', 23: 'select', 270: 'select', 232: 'epoll', 281: 'epoll' },
  arm64: { 63: 'read', 65: 'read', 73: 'poll', 72: 'select', 22: 'epoll' },
};
/** Descriptors beyond this are not looked at. */
const MOST_DESCRIPTORS = 1024;

/** Looks through /proc at what a process's main thread is blocked in (proc_pid_syscall(5)). Linux only. */
export function readsTerminal(pid: number): ReadsTerminal {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/syscall`, 'latin1');
  } catch (error) {
    return isGone(error) ? 'no' : 'unknown';
  }
  const [number, ...args] = line.split(' ').map(Number);
  if (number === undefined || Number.isNaN(number)) return 'no';
  const [first = 0, second = 0] = args;
  switch (CALLS[process.arch]?.[number]) {
    case 'read':
      return isTerminal(pid, first) ? 'yes' : 'no';
    case 'poll':
      return terminalAmong(pid, polled(pid, first, second));
    case 'select':
      return terminalAmong(pid, selected(pid, second, first));
    case 'epoll':
      return terminalAmong(pid, epolled(pid, first));
    default:
      return 'no';
  }
}

function terminalAmong(pid: number, descriptors: readonly number[]): ReadsTerminal {
  const terminals = descriptors.filter((fd) => isTerminal(pid, fd));
  if (terminals.length === 0) return 'no';
  return terminals.length === descriptors.length ? 'yes' : 'maybe';
}

/** poll(2): an array of { int fd; short events, revents } in the program's memory. */
function polled(pid: number, address: number, count: number): number[] {
  const bytes = readMemory(pid, address, Math.min(count, MOST_DESCRIPTORS) * 8);
  return Array.from({ length: Math.floor(bytes.length / 8) }, (_, index) => bytes.readInt32LE(index * 8));
}

/** select(2): a bit for each descriptor below `count`. */
function selected(pid: number, address: number, count: number): number[] {
  const bytes = readMemory(pid, address, Math.ceil(Math.min(count, MOST_DESCRIPTORS) / 8));
  return Array.from({ length: bytes.length * 8 }, (_, fd) => fd).filter(
    (fd) => ((bytes[fd >> 3] ?? 0) >> (fd & 7)) & 1,
  );
}

/** epoll(7): /proc/PID/fdinfo/FD has a line `tfd: N ...` for each descriptor that is watched. */
function epolled(pid: number, fd: number): number[] {
  try {
    const info = readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1');
    return [...info.matchAll(/^tfd:\s*(\d+)/gm)].map((match) => Number(match[1]));
  } catch {
    return [];
  }
}

function readMemory(pid: number, address: number, length: number): Buffer {
  if (address === 0 || length === 0) return Buffer.alloc(0);
  try {
    const memory = openSync(`/proc/${pid}/mem`, 'r');
    try {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(memory, bytes, 0, length, address));
    } finally {
      closeSync(memory);
    }
  } catch {
    return Buffer.alloc(0);
  }
}

/** Majors of terminals (Documentation/admin-guide/devices.txt): 4 consoles, 5 /dev/tty, 136 to 143 pseudo terminals. */
function isTerminal(pid: number, fd: number): boolean {
  try {
    const status = statSync(`/proc/${pid}/fd/${fd}`);
    if (!status.isCharacterDevice()) return false;
    const major = (status.rdev >> 8) & 0xfff;
    return major === 4 || major === 5 || (major >= 136 && major <= 143);
  } catch {
    return false;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
