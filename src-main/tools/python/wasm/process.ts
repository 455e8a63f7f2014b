import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { CausewayError, type JsonObject } from '../../../../src-shared/index.ts';
import type { LimitedGroup } from '../../../sandbox/index.ts';
import type { WorkerLink } from '../contract.ts';

export interface WasmProcessOptions {
  nodePath: string;
  workerPath: string;
  /** Measures memory and processes below a process, where that is possible. */
  measure: (pid: number) => ReturnType<WorkerLink['usage']>;
  /** Holds its limits; belongs to the process from now on. */
  group?: LimitedGroup | undefined;
}

/** V8's own heap; WebAssembly memory comes on top and is watched from outside. */
const HEAP_MEGABYTES = 512;
const LIFELINE_FD = 4;

/**
 * Starts the worker below a shell that waits on a pipe from us: when this process dies, in whatever way, the pipe closes and
 * the shell ends the worker, which may be in an endless loop and hear nothing itself. A first line says that the shell has been
 * moved to where its limits are. The script is constant; data are arguments.
 */
const GUARDIAN = `read -r _ <&${LIFELINE_FD} || exit
"$@" ${LIFELINE_FD}<&- &
worker=$!
exec 1>&- 2>&- 3<&-
read -r _ <&${LIFELINE_FD}
kill -KILL "$worker"`;

/** The folder of the installed pyodide package. */
function pyodideFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
}

export function startWasmProcess({ nodePath, workerPath, measure, group }: WasmProcessOptions): WorkerLink {
  const pyodide = pyodideFolder();
  const argv = [
    '--permission',
    `--allow-fs-read=${pyodide}`,
    `--allow-fs-read=${path.dirname(workerPath)}`,
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${HEAP_MEGABYTES}`,
    workerPath,
    pyodide,
    nodePath,
  ];
  const [program, args]: [string, string[]] =
    process.platform === 'win32' ? [nodePath, argv] : ['/bin/sh', ['-c', GUARDIAN, 'sh', nodePath, ...argv]];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    // A process group of its own, so that shell and worker end together.
    detached: true,
    // Nothing of ours is in its environment. The variable makes Electron behave as Node; Node itself does not know it.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'json',
  });
  const { promise: exited, resolve: onExit } = Promise.withResolvers<undefined>();
  child.once('exit', () => onExit(undefined));
  child.once('error', () => onExit(undefined));
  const [stdout, stderr] = [child.stdout, child.stderr];
  const lifeline = child.stdio[LIFELINE_FD];
  if (!(stdout instanceof Readable) || !(stderr instanceof Readable) || !(lifeline instanceof Writable)) {
    throw new CausewayError('internal', 'The WebAssembly worker has no pipes.');
  }
  lifeline.on('error', () => undefined);

  const look = group?.usage ?? measure;

  function end(): void {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
    } catch {
      // It went by itself in this moment.
    }
  }
  child.once('disconnect', end);
  const drained = Promise.all([stdout, stderr].map((stream) => new Promise((done) => stream.once('close', done))));
  const closed = Promise.all([exited, drained]).then(() => {
    const outOfMemory = group?.outOfMemory() ?? false;
    void group?.close();
    return { outOfMemory };
  });
  void enter(child.pid, group).then(() => lifeline.write('\n'), end);

  return {
    send: (message: JsonObject) => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onOutput(listener) {
      stdout.on('data', listener);
      // Python writes to standard output only; what Node itself says is of interest until Python is there.
      stderr.on('data', listener);
      child.once('message', () => stderr.off('data', listener).resume());
    },
    closed,
    async kill() {
      end();
      await closed;
    },
    usage: () => (child.pid === undefined || child.exitCode !== null ? undefined : look(child.pid)),
  };
}

async function enter(pid: number | undefined, group: LimitedGroup | undefined): Promise<void> {
  if (group && pid !== undefined) await group.enter(pid);
}
