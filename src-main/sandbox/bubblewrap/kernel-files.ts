import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';

/*
 * A security boundary: of the files in /proc that tell of the machine, not of processes, those are covered that name keys, addresses of
 * the kernel, its memory, or how it was started. They are few: each costs a start of a sandbox most of a millisecond.
 *
 * It does NOT protect against: what the other files there tell of the machine's devices, size and load; /proc/sys, which is read-only.
 */

const HIDDEN = [
  'acpi',
  'asound',
  'cmdline',
  'interrupts',
  'kallsyms',
  'kcore',
  'key-users',
  'keys',
  'kpagecgroup',
  'kpagecount',
  'kpageflags',
  'latency_stats',
  'modules',
  'pagetypeinfo',
  'sched_debug',
  'scsi',
  'slabinfo',
  'timer_list',
  'timer_stats',
  'vmallocinfo',
  'vmcore',
];

/** The arguments that cover them, to stand behind `--proc`. What is not there, or may not be read anyway, needs no mount. */
export async function coverKernelFiles(): Promise<string[]> {
  return (await Promise.all(HIDDEN.map((name) => cover(`/proc/${name}`)))).flat();
}

async function cover(entry: string): Promise<string[]> {
  try {
    await access(entry, constants.R_OK);
    if (!(await stat(entry)).isDirectory()) return ['--ro-bind', '/dev/null', entry];
    if ((await readdir(entry)).length === 0) return [];
    return ['--size', '4096', '--tmpfs', entry, '--remount-ro', entry];
  } catch {
    return [];
  }
}
