import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { CausewayError } from '../../../src-shared/index.ts';
import { isRunning, processIdentity } from '../../platform/index.ts';
import type { SandboxedProcess } from '../contract.ts';
import type { ControlGroup } from '../control-groups/group.ts';
import { measureLimited } from '../usage.ts';
import { pauseAll, resumeAll } from './pause.ts';

/** What goes into the sandbox by descriptor: never through files, never on a command line others can read. */
export interface Launch {
  readonly program: string;
  readonly argv: readonly string[];
  /** Builds bubblewrap's arguments once the descriptor numbers are known. */
  readonly arguments: (descriptors: { filter: number; files: ReadonlyMap<string, number> }) => string[];
  readonly filter: Uint8Array;
  readonly files: Readonly<Record<string, string>>;
  /** Belongs to the sandbox from now on. */
  readonly group: ControlGroup | undefined;
}

const ARGUMENTS_FD = 4;
const INFO_FD = 5;
const FILTER_FD = 6;
const FIRST_FILE_FD = 7;
/** How long leftovers of a killed sandbox may take to go, in milliseconds. */
const REAP_DEADLINE_MS = 5000;

/**
 * Starts bubblewrap. Must run on the main thread: the kernel ends the sandbox with the thread that started it.
 */
export function startBubblewrap(launch: Launch): SandboxedProcess {
  const files = Object.entries(launch.files);
  const pipes = Array.from({ length: FIRST_FILE_FD + files.length - 1 }, () => 'pipe' as const);
  const child = spawn(
    launch.program,
    ['--args', String(ARGUMENTS_FD), '--info-fd', String(INFO_FD), '--', ...launch.argv],
    {
      stdio: ['ignore', ...pipes],
      env: {},
    },
  );
  const failed = new Promise<void>((resolve) => child.once('error', () => resolve()));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));

  const descriptors = new Map(files.map(([path], index) => [path, FIRST_FILE_FD + index]));
  const args = launch.arguments({ filter: FILTER_FD, files: descriptors });
  // Bubblewrap starts nothing before it has read its arguments: until then it can be moved into the group.
  void enter(child, launch.group).then(
    () => feed(child, ARGUMENTS_FD, args.map((arg) => `${arg}\0`).join('')),
    () => child.kill('SIGKILL'),
  );
  feed(child, FILTER_FD, launch.filter);
  files.forEach(([, content], index) => feed(child, FIRST_FILE_FD + index, content));
  const first = readFirstProcess(duplex(child, INFO_FD));

  const gone = Promise.race([failed, exited]).then(async () => {
    await reap(first());
    const outOfMemory = launch.group?.outOfMemory() ?? false;
    void launch.group?.close();
    return { code: child.exitCode, signal: child.signalCode, outOfMemory };
  });
  return {
    stdout: readable(child, 1),
    stderr: readable(child, 2),
    control: duplex(child, 3),
    gone,
    async kill() {
      // When the first process is gone bubblewrap ends by itself, and only then is nothing left.
      if (!killFirst(first(), child.pid)) child.kill('SIGKILL');
      await gone;
    },
    async pause() {
      const identity = first();
      return identity === undefined || !isRunning(identity) || (await pauseAll(pidOf(identity)));
    },
    resume() {
      const identity = first();
      if (identity !== undefined && isRunning(identity)) resumeAll(pidOf(identity));
    },
    usage() {
      const identity = first();
      return identity === undefined || child.exitCode !== null
        ? undefined
        : measureLimited(pidOf(identity), launch.group);
    },
  };
}

async function enter(child: ChildProcess, group: ControlGroup | undefined): Promise<void> {
  if (group && child.pid !== undefined) await group.enter(child.pid);
}

/** Bubblewrap tells the number, as the host sees it, of the sandbox's first process. */
function readFirstProcess(info: Readable): () => string | undefined {
  let text = '';
  let identity: string | undefined;
  info.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    const pid = /"child-pid"\s*:\s*(\d+)/.exec(text)?.[1];
    if (pid !== undefined) identity ??= processIdentity(Number(pid));
  });
  return () => identity;
}

/**
 * The first process goes first: with it the kernel ends everything in its process namespace, also what has made itself
 * a daemon, and also when the program has taken over bubblewrap's own process inside. False when it is not (yet) known.
 */
function killFirst(identity: string | undefined, parent: number | undefined): boolean {
  if (identity === undefined || parent === undefined) return false;
  const pid = pidOf(identity);
  // Numbers are used again: it must still be the process we know, below the bubblewrap we started.
  if (parentOf(pid) !== parent || !isRunning(identity)) return false;
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Waits for the first process; bubblewrap's own end already told the kernel to kill it. */
async function reap(identity: string | undefined): Promise<void> {
  const end = performance.now() + REAP_DEADLINE_MS;
  while (identity !== undefined && isRunning(identity) && performance.now() < end) await delay(1);
}

function pidOf(identity: string): number {
  return Number(identity.split(':', 1)[0]);
}

/** Field 4 of /proc/PID/stat (proc_pid_stat(5)). */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

function feed(child: ChildProcess, fd: number, content: string | Uint8Array): void {
  duplex(child, fd).end(content);
}

function duplex(child: ChildProcess, fd: number): Duplex {
  const stream = child.stdio[fd];
  if (!(stream instanceof Duplex)) throw new CausewayError('internal', `Descriptor ${fd} of a sandbox is not a pipe.`);
  // A sandbox that dies early breaks its pipes; its end is reported by `gone`.
  return stream.on('error', () => undefined);
}

function readable(child: ChildProcess, fd: number): Readable {
  const stream = child.stdio[fd];
  if (!(stream instanceof Readable))
    throw new CausewayError('internal', `Descriptor ${fd} of a sandbox is not readable.`);
  return stream.on('error', () => undefined);
}
