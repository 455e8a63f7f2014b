import { stat } from 'node:fs/promises';
import { CausewayError } from '../../../src-shared/index.ts';
import { errorName, explained } from '../file-errors.ts';
import { createLocalFiles } from '../local-files.ts';
import { digestOfFile } from '../regular-file.ts';
import { checkBoundary } from './boundary.ts';
import type { FileCall, WorkerOptions } from './protocol.ts';

/** What a call gives: a value as JSON, and bytes beside it. */
export interface Served {
  readonly value?: unknown;
  readonly payload?: Uint8Array;
}

/** S_ISUID | S_ISGID */
const SET_ID_BITS = 0o6000;

/** Answers calls with the files that are to be seen here. Throws CausewayErrors only. */
export function createFileService(options: WorkerOptions): (call: FileCall, payload: Uint8Array) => Promise<Served> {
  const files = createLocalFiles();

  async function perform(call: FileCall, payload: Uint8Array): Promise<Served> {
    const { path } = call;
    switch (call.method) {
      case 'stat':
        return { value: await files.stat(path, call) };
      case 'read':
        return { payload: await files.read(path, call.range) };
      case 'digest':
        return { value: await explained('read', path, () => digestOfFile(path, call.size)) };
      case 'write':
        await files.write(path, payload, { follow: call.follow, ...modeOf(call) });
        return {};
      case 'remove':
        await files.remove(path);
        return {};
      case 'setMode':
        await files.setMode(path, call.mode);
        return {};
      case 'readLink':
        return { payload: await files.readLink(path) };
      case 'syncFolder':
        await files.syncFolder(path);
        return {};
      case 'makeLink':
        await files.makeLink(path, payload);
        return {};
      case 'makeFolder':
        await files.makeFolder(path, modeOf(call));
        return {};
      case 'removeFolder':
        return { value: await files.removeFolder(path) };
      case 'list':
        return { value: await files.list(path) };
      case 'settle':
        await files.settle(path);
        return {};
    }
  }

  return async (call, payload) => {
    await explained(call.method === 'write' ? 'written' : 'looked at', call.path, () => checkBoundary(call, options));
    try {
      return await perform(call, payload);
    } catch (error) {
      throw (await setsId(call, error)) ? setIdRefused(call.path) : error;
    }
  };
}

function modeOf({ mode }: { mode?: number | undefined }): { mode?: number } {
  return mode === undefined ? {} : { mode };
}

/** True when the sandbox refused a file that would run with its owner's rights. */
async function setsId(call: FileCall, error: unknown): Promise<boolean> {
  if (!(error instanceof CausewayError) || errorName(error.cause) !== 'EPERM') return false;
  const wanted = 'mode' in call ? call.mode : undefined;
  if (wanted !== undefined) return (wanted & SET_ID_BITS) !== 0;
  if (call.method !== 'write') return false;
  const mode = await stat(call.path).then(
    (stats) => stats.mode,
    () => 0,
  );
  return (mode & SET_ID_BITS) !== 0;
}

function setIdRefused(path: string): CausewayError {
  return new CausewayError(
    'refused',
    `${path} could not be written: it runs with the rights of its owner (set-user-ID), and nothing in a sandbox may make such a file.`,
    { hint: 'Ask the person to change it, or to set "shell.sandbox" to "off" in the settings.' },
  );
}
