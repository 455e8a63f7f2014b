import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';

/*
 * A security boundary: of the files in /proc that tell of the machine, not of processes, only those that ordinary programs read are
 * shown. The others name keys, addresses of the kernel, devices and what else runs; container runtimes hide the best known of them.
 *
 * It does NOT protect against: what /proc/sys and the files below tell of the machine's size and load.
 */

const SHOWN = new Set([
  'cgroups',
  'cpuinfo',
  'filesystems',
  'loadavg',
  'meminfo',
  'mounts',
  'net',
  'pressure',
  'self',
  'stat',
  'sys',
  'sysvipc',
  'thread-self',
  'tty',
  'uptime',
  'version',
  'vmstat',
]);

/** The arguments that cover the rest, to stand behind `--proc`. What may not be read anyway needs no mount. */
export async function coverKernelFiles(): Promise<string[]> {
  const names = await readdir('/proc').catch((): string[] => []);
  const hidden = names.filter((name) => !/^\d+$/.test(name) && !SHOWN.has(name)).map((name) => `/proc/${name}`);
  return (await Promise.all(hidden.map(cover))).flat();
}

async function cover(entry: string): Promise<string[]> {
  try {
    await access(entry, constants.R_OK);
    if (!(await stat(entry)).isDirectory()) return ['--ro-bind', '/dev/null', entry];
    return ['--size', '4096', '--tmpfs', entry, '--remount-ro', entry];
  } catch {
    return [];
  }
}
