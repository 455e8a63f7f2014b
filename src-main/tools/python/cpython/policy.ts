import { existsSync } from 'node:fs';
import path from 'node:path';
import type { SandboxPolicy, WayOut } from '../../../sandbox/index.ts';
import type { Installed, Terms, WorkerLimits } from '../contract.ts';
import type { Interpreter } from './interpreters.ts';

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;

/** Where the worker's files are inside. */
const PROGRAM = '/run/causeway';
export const WORKER_PATH = `${PROGRAM}/worker.py`;
const FONT_CACHE = `${PROGRAM}/fontlist.json`;
/** matplotlib wants a folder it can write to. */
const MATPLOTLIB_FOLDER = '/tmp/matplotlib';

/** All that a sandbox with a way out knows of names. */
export const OWN_HOSTS = '127.0.0.1 localhost\n::1 localhost\n';

/** Entries of a workspace that git and editors obey. */
export const PROTECTED_ENTRIES = ['.git', '.vscode', '.idea'];

/** Folders code may write to inside; the second layer (Landlock) is told the same as the mounts. */
const WRITABLE = ['/tmp', '/sandbox', '/dev/shm', '/dev/null', '/dev/zero', '/dev/full', '/dev/tty', '/dev/pts'];

/** The worker's own files, by name. */
export type WorkerFiles = Readonly<Record<'worker.py' | 'causeway_runner.py' | 'causeway_figures.py', string>>;

/**
 * Limits of one worker. Per process: address space, file size, open files, processor time, processes (the last one does not hold
 * for root). Of all processes together, memory and number are held by the kernel where it lends a control group, and watched
 * from outside in any case.
 */
export const LIMITS = {
  memoryBytes: 2 * GIGABYTE,
  processes: 64,
  cores: 2,
  idleCpuMs: 10_000,
  outputBytes: 256 * MEGABYTE,
  ownFolder: PROGRAM,
  perProcess: { addressSpaceBytes: 8 * GIGABYTE, fileBytes: GIGABYTE, openFiles: 512, processes: 128 },
} satisfies WorkerLimits;

/** Processes and threads; what is allowed of processes can have a few threads each. */
const MOST_TASKS = 256;

/** The sandbox that Python code of a model runs in. */
export function pythonPolicy(options: {
  terms: Terms;
  workspace: string;
  interpreter: Interpreter;
  files: WorkerFiles;
  fontCache: FontCache | undefined;
  hidden: readonly string[];
  packages: Installed | undefined;
  way: Pick<WayOut, 'shared' | 'env'> | undefined;
  nestedEntries: readonly string[];
}): SandboxPolicy {
  const { terms, workspace, packages, interpreter, files, fontCache, hidden, way, nestedEntries } = options;
  return {
    root: 'minimal',
    workspace: { path: workspace, access: terms.workspace },
    protectedEntries: PROTECTED_ENTRIES,
    nestedEntries,
    readable: [...interpreter.folders, ...(way ? certificates() : [])],
    shared: [...(way?.shared ?? []), ...(packages ? [{ path: packages.folder, access: 'read-only' as const }] : [])],
    hidden,
    files: {
      ...Object.fromEntries(Object.entries(files).map(([name, content]) => [`${PROGRAM}/${name}`, content])),
      ...(fontCache && { [FONT_CACHE]: fontCache.content }),
      ...(way && { '/etc/hosts': OWN_HOSTS }),
    },
    env: {
      ...way?.env,
      // For programs that the code starts; the worker itself looks at no variables.
      ...(packages && { PYTHONPATH: packages.folder }),
      PATH: `${path.dirname(interpreter.executable)}:/usr/bin:/bin`,
      LANG: 'C.UTF-8',
      MPLBACKEND: 'module://causeway_figures',
      MPLCONFIGDIR: MATPLOTLIB_FOLDER,
      OPENBLAS_NUM_THREADS: '2',
    },
    network: way ? 'sockets' : 'none',
    limits: { memoryBytes: LIMITS.memoryBytes, tasks: MOST_TASKS },
    sizes: { temporary: 256 * MEGABYTE, sharedMemory: 64 * MEGABYTE, home: 16 * MEGABYTE },
  };
}

/** What is there of the places where systems keep the certificates that they trust. */
export function certificates(): string[] {
  return ['ssl/certs', 'ssl/openssl.cnf', 'ca-certificates', 'pki/tls/certs', 'pki/ca-trust']
    .map((name) => `/etc/${name}`)
    .filter((file) => existsSync(file));
}

/** matplotlib's list of fonts: without it the first figure of every fresh worker costs most of a second. */
export interface FontCache {
  /** The name matplotlib looks for, with its own version number in it. */
  readonly name: string;
  readonly content: string;
}

/** What the worker is told when it starts. */
export function workerOptions({
  terms,
  workspace,
  packages,
  preload,
  fontCache,
}: {
  terms: Terms;
  workspace: string;
  packages: Installed | undefined;
  preload: readonly string[];
  fontCache: FontCache | undefined;
}): string {
  return JSON.stringify({
    preload,
    packages: packages?.folder ?? null,
    // Elsewhere the sandbox itself refuses them.
    refuseUnixSockets: terms.hosts.length > 0,
    writable: [...WRITABLE, ...(terms.workspace === 'read-write' ? [workspace] : [])],
    copies: fontCache ? { [FONT_CACHE]: `${MATPLOTLIB_FOLDER}/${fontCache.name}` } : {},
  });
}
