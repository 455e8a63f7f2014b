import childProcess from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

/*
 * A security boundary, inside the process that runs Pyodide. Pyodide alone is none: Python in it reaches JavaScript, and
 * with it everything that Node can do. What holds is Node's permission model (no files but the interpreter's own, no network,
 * no programs, no threads, no native code) and a V8 that makes no code from strings. This file takes away what the permission
 * model does not cover, and proves, on the runtime it finds itself on, that the model is really there.
 *
 * It does NOT protect against: faults in V8, Node or the permission model, which its authors call a seat belt; reading what
 * the process itself holds (the interpreter's files, this program, the machine's name); use of memory up to the watch's limit.
 */

/** Ways out of the process that the permission model leaves open, or that would lead round it. */
const PROCESS_POWERS = [
  'kill',
  '_kill',
  '_debugProcess',
  '_debugEnd',
  '_linkedBinding',
  'dlopen',
  'getBuiltinModule',
  'loadEnvFile',
  'setuid',
  'setgid',
  'seteuid',
  'setegid',
  'setgroups',
  'initgroups',
];
/** Ways to the network, and to code from strings by way of it (a data: URL). */
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Request', 'Worker'];

/** Pyodide reads file constants through this; everything else it could give is not there. */
export function replaceBinding(): void {
  const constants = Object.freeze({ ...fs.constants });
  Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }), writable: false, configurable: false });
}

/** To be called once, after the interpreter is loaded and before any code of a model runs. */
export function removePowers(): void {
  const refuse = (): never => {
    throw new Error('This is not possible in the sandbox.');
  };
  for (const name of PROCESS_POWERS) {
    Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false });
  }
  for (const name of NETWORK_GLOBALS) {
    Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });
  }
}

/**
 * Tries each thing that must not be possible. Gives what was possible all the same, in words; empty when the lockdown holds.
 * `outside` is a file that exists and must not be readable.
 */
export async function findLeaks(outside: string): Promise<string[]> {
  const trials: [string, () => unknown][] = [
    ['reading files', () => fs.readFileSync(outside)],
    ['writing files', () => fs.writeFileSync(`${outside}.leak`, '')],
    ['starting programs', () => childProcess.spawnSync(process.execPath, ['--version'])],
    ['starting threads', () => new Worker('0', { eval: true })],
    ['making code from strings', () => Reflect.construct(Function, ['return 1'])],
  ];
  const leaks = trials.filter(([, attempt]) => succeeds(attempt)).map(([name]) => name);
  if (await canConnect()) leaks.push('using the network');
  return leaks;
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    return !isRefusal(error);
  }
}

/** A refused connection attempt still means that the network was asked; only the permission model's own error counts. */
async function canConnect(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  try {
    const socket = net.connect({ host: '127.0.0.1', port: 1 });
    socket.once('error', (error) => resolve(!isRefusal(error)));
    socket.once('connect', () => resolve(true));
    return await promise.finally(() => socket.destroy());
  } catch (error) {
    return !isRefusal(error);
  }
}

function isRefusal(error: unknown): boolean {
  if (error instanceof EvalError) return true;
  return error instanceof Error && 'code' in error && error.code === 'ERR_ACCESS_DENIED';
}
