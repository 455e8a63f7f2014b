import type { SandboxPolicy } from '../contract.ts';
import { isInside } from '../../platform/index.ts';
import { DEFAULT_HOME } from '../policy.ts';

/*
 * A security boundary: the mounts and namespaces of a sandbox, in the order bubblewrap makes them.
 *
 * It does NOT protect against: reading what /usr holds (it is all visible); filling the disk of a writable workspace (there is
 * no quota); what a person later runs from the workspace, other than the protected entries; a program that is handed
 * descriptors by its starter (it must close them itself); with the host's network, anything that listens on this machine.
 */

/** What the host looks like where it matters for the arguments. */
export interface HostFacts {
  /** Arguments that lay the minimal root. */
  readonly systemRoot: readonly string[];
  /** Arguments that cover what /proc tells of the machine. */
  readonly kernelFiles: readonly string[];
  /** The protected entries that are there now and can be mounted over. */
  readonly protectable: readonly string[];
  /** The same of the nested ones. */
  readonly nested: readonly string[];
  /** Of the hidden paths, those that are files. */
  readonly hiddenFiles: ReadonlySet<string>;
  /** Where the policy's files are, by path inside: a descriptor to be read, or a file of the host. */
  readonly files: ReadonlyMap<string, number | string>;
  readonly filterDescriptor: number;
  /** `new` takes the starter's terminal away; `own` keeps it, for a terminal that is the sandbox's alone. */
  readonly terminal: 'new' | 'own';
}

/** The number inside; outside it stays the person's own. */
const INNER_ID = '1000';

/** Everything before the program: pure, so that tests can read it. */
export function bubblewrapArguments(policy: SandboxPolicy, host: HostFacts, cwd: string): string[] {
  const workspace = policy.workspace?.path;
  const inWorkspace = (path: string): boolean => workspace !== undefined && isInside(path, workspace);
  return [
    ...['--unshare-all', ...(policy.network === 'host' ? ['--share-net'] : [])],
    ...['--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    ...['--uid', INNER_ID, '--gid', INNER_ID, '--hostname', 'sandbox', '--die-with-parent'],
    // Without a session of its own a program could type into the terminal it was started from: the filter refuses that as well.
    ...(host.terminal === 'new' ? ['--new-session'] : []),
    ...['--clearenv', ...Object.entries(environment(policy)).flatMap(([name, value]) => ['--setenv', name, value])],
    ...(policy.root === 'host' ? ['--ro-bind', '/', '/'] : host.systemRoot),
    ...systemMounts(policy, host),
    ...readOnly(policy.readable.filter((path) => !inWorkspace(path))),
    ...[...host.files].flatMap(([path, source]) =>
      typeof source === 'number' ? ['--ro-bind-data', String(source), path] : ['--ro-bind', source, path],
    ),
    ...workspaceMounts(policy, host),
    ...readOnly(policy.readable.filter(inWorkspace)),
    ...hiddenMounts(policy, host.hiddenFiles),
    ...['--remount-ro', '/', '--chdir', cwd, '--seccomp', String(host.filterDescriptor)],
  ];
}

function environment({ root, env, home = DEFAULT_HOME }: SandboxPolicy): Record<string, string> {
  return root === 'host' ? env : { HOME: home, TMPDIR: '/tmp', ...env };
}

/**
 * /proc and /dev are read-only: as root, /proc/sys/kernel/core_pattern would be code on the host, and /proc/1/mem the way
 * into bubblewrap's own process. Every memory file system has a size, else it could take half the machine's memory.
 */
function systemMounts(
  { root, sizes, workspace, home = DEFAULT_HOME }: SandboxPolicy,
  { kernelFiles }: Pick<HostFacts, 'kernelFiles'>,
): string[] {
  const temporary = root === 'host' || workspace?.path === '/tmp' ? [] : memory(sizes.temporary, '/tmp');
  // On the host's root there is no place to make the mount point.
  const homes = root === 'host' ? [] : memory(sizes.home, home);
  return [
    ...['--proc', '/proc', '--remount-ro', '/proc', ...kernelFiles],
    ...['--dev', '/dev', ...memory(sizes.sharedMemory, '/dev/shm'), '--remount-ro', '/dev'],
    ...temporary,
    ...homes,
  ];
}

/**
 * Protected entries are mounted over themselves: as mount points they can be neither changed nor moved out of the way. So are
 * the folders they are in; not those of nested ones, between which files could be moved no more.
 */
function workspaceMounts(
  { workspace }: SandboxPolicy,
  { protectable, nested }: Pick<HostFacts, 'protectable' | 'nested'>,
): string[] {
  if (!workspace) return [];
  if (workspace.access === 'read-only') return readOnly([workspace.path]);
  const folders = new Set(protectable.flatMap(foldersAbove).map((name) => `${workspace.path}/${name}`));
  const entries = [...protectable, ...nested].map((name) => `${workspace.path}/${name}`);
  return [...bind([workspace.path, ...folders]), ...readOnly(entries)];
}

/** `a` and `a/b` of `a/b/c`. */
function foldersAbove(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Only where something visible lies over them; elsewhere they are not there at all. What is the program's own is laid on top. */
function hiddenMounts(policy: SandboxPolicy, hiddenFiles: ReadonlySet<string>): string[] {
  const { root, hidden, readable, workspace, shared = [] } = policy;
  const shown = [...readable, ...(workspace ? [workspace.path] : [])];
  const covered = hidden.filter((path) => root === 'host' || shown.some((folder) => isInside(path, folder)));
  const folders = covered.filter((path) => !hiddenFiles.has(path));
  const files = covered.filter((path) => hiddenFiles.has(path) && !folders.some((folder) => isInside(path, folder)));
  return [
    ...folders.flatMap((path) => memory(4096, path)),
    ...files.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...shared.flatMap(({ path, access }) => (access === 'read-only' ? readOnly([path]) : bind([path]))),
    ...folders.flatMap((path) => ['--remount-ro', path]),
  ];
}

/** Bubblewrap knows no size of nothing; without a mount the place belongs to the root, which is read-only. */
function memory(bytes: number, path: string): string[] {
  return bytes === 0 ? [] : ['--size', String(bytes), '--tmpfs', path];
}

function bind(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ['--bind', path, path]);
}

function readOnly(paths: readonly string[]): string[] {
  return paths.flatMap((path) => ['--ro-bind', path, path]);
}
