import { lstat, readlink } from 'node:fs/promises';

/** Top-level folders of programs and libraries. On merged systems all but /usr are links into it. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * The files of /etc that programs need to start and to draw: library and font lookup, time zone, alternatives. No accounts,
 * no keys, no host names.
 */
const SYSTEM_FILES = [
  '/etc/ld.so.cache',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/localtime',
  '/etc/matplotlibrc',
  '/etc/mime.types',
];

/** The arguments that lay the allow-listed root: system folders read-only, nothing else of the host. */
export async function systemRoot(): Promise<string[]> {
  const folders = await Promise.all(SYSTEM_FOLDERS.map(systemFolder));
  return [...folders.flat(), ...SYSTEM_FILES.flatMap((file) => ['--ro-bind-try', file, file])];
}

async function systemFolder(folder: string): Promise<string[]> {
  const stat = await lstat(folder).catch(() => undefined);
  if (!stat) return [];
  return stat.isSymbolicLink() ? ['--symlink', await readlink(folder), folder] : ['--ro-bind', folder, folder];
}
