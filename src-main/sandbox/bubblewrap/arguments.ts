import type { SandboxPolicy } from '../contract.ts';
import { isInside } from '../../platform/index.ts';

/*
 * A security boundary: the mounts and namespaces of a sandbox, in the order bubblewrap makes them.
 *
 * It does NOT protect against: reading what /usr holds (it is all visible); filling the disk of a writable workspace (there is
 * no quota); what a person later runs from the workspace, other than the protected entries; a program that is handed
 * descriptors by its starter (it must close them itself).
 */

/** What the host looks like where it matters for the arguments. */
export interface HostFacts {
  /** Arguments that lay the minimal root. */
  readonly systemRoot: readonly string[];
  /** The protected entries that are there now and can be mounted over. */
  readonly protectable: readonly string[];
  /** Descriptors that hold the policy's files, by path inside. */
  readonly fileDescriptors: ReadonlyMap<string, number>;
  readonly filterDescriptor: number;
}

const HOME = '/sandbox/home';

/** The number inside; outside it stays the person's own. */
const INNER_ID = '1000';

/** Everything before the program: pure, so that tests can read it. */
export function bubblewrapArguments(policy: SandboxPolicy, host: HostFacts, cwd: string): string[] {
  const workspace = policy.workspace?.path;
  const inWorkspace = (path: string): boolean => workspace !== undefined && isInside(path, workspace);
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--uid', INNER_ID, '--gid', INNER_ID, '--hostname', 'sandbox', '--die-with-parent', '--new-session'],
    ...['--clearenv', ...Object.entries(environment(policy)).flatMap(([name, value]) => ['--setenv', name, value])],
    ...(policy.root === 'host' ? ['--ro-bind', '/', '/'] : host.systemRoot),
    ...readOnly(policy.readable.filter((path) => !inWorkspace(path))),
    ...systemMounts(policy),
    ...[...host.fileDescriptors].flatMap(([path, fd]) => ['--ro-bind-data', String(fd), path]),
    ...workspaceMounts(policy, host.protectable),
    ...readOnly(policy.readable.filter(inWorkspace)),
    ...hiddenMounts(policy),
    ...['--remount-ro', '/', '--chdir', cwd, '--seccomp', String(host.filterDescriptor)],
  ];
}

function environment({ root, env }: SandboxPolicy): Record<string, string> {
  return root === 'host' ? env : { HOME, TMPDIR: '/tmp', ...env };
}

/**
 * /proc and /dev are read-only: as root, /proc/sys/kernel/core_pattern would be code on the host, and /proc/1/mem the way
 * into bubblewrap's own process. Every memory file system has a size, else it could take half the machine's memory.
 */
function systemMounts({ root, sizes, workspace }: SandboxPolicy): string[] {
  const temporary = root === 'host' || workspace?.path === '/tmp' ? [] : memory(sizes.temporary, '/tmp');
  // On the host's root there is no place to make the mount point.
  const home = root === 'host' ? [] : [...memory(sizes.home, '/sandbox'), '--dir', HOME];
  return [
    ...['--proc', '/proc', '--remount-ro', '/proc'],
    ...['--dev', '/dev', ...memory(sizes.sharedMemory, '/dev/shm'), '--remount-ro', '/dev'],
    ...temporary,
    ...home,
  ];
}

/**
 * Protected entries are mounted over themselves: as mount points they can be neither changed nor moved out of the way.
 */
function workspaceMounts({ workspace }: SandboxPolicy, protectable: readonly string[]): string[] {
  if (!workspace) return [];
  if (workspace.access === 'read-only') return readOnly([workspace.path]);
  return [
    ...['--bind', workspace.path, workspace.path],
    ...readOnly(protectable.map((name) => `${workspace.path}/${name}`)),
  ];
}

/** Only where something visible lies over them; elsewhere they are not there at all. */
function hiddenMounts({ root, hidden, readable, workspace }: SandboxPolicy): string[] {
  const shown = [...readable, ...(workspace ? [workspace.path] : [])];
  return hidden
    .filter((path) => root === 'host' || shown.some((folder) => isInside(path, folder)))
    .flatMap((path) => [...memory(4096, path), '--remount-ro', path]);
}

function memory(bytes: number, path: string): string[] {
  return ['--size', String(bytes), '--tmpfs', path];
}

function readOnly(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ['--ro-bind', path, path]);
}
