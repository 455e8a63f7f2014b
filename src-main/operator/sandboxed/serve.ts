import { statSync } from 'node:fs';
import { CausewayError } from '../../../src-shared/index.ts';
import { createPlainFiles } from '../attributes.ts';
import type { FileCall } from '../calls/file-call.ts';
import { createFileService, type FileService } from '../calls/service.ts';
import { errorName, explained } from '../file-errors.ts';
import { checkBoundary } from './boundary.ts';
import type { WorkerOptions } from './protocol.ts';

/** S_ISUID | S_ISGID */
const SET_ID_BITS = 0o6000;

/** A file service in plain words for what the sandbox does not let happen. Throws CausewayErrors only. */
export function createBoundService(options: WorkerOptions): FileService {
  const serve = createFileService(createPlainFiles());
  return (call, payload) => {
    explained(call.method === 'write' ? 'written' : 'looked at', call.path, () => checkBoundary(call, options));
    try {
      return serve(call, payload);
    } catch (error) {
      throw setsId(call, error) ? setIdRefused(call.path) : error;
    }
  };
}

/** True when the sandbox refused a file that would run with its owner's rights. */
function setsId(call: FileCall, error: unknown): boolean {
  if (!(error instanceof CausewayError) || errorName(error.cause) !== 'EPERM') return false;
  const wanted = 'mode' in call ? call.mode : undefined;
  if (wanted !== undefined) return (wanted & SET_ID_BITS) !== 0;
  if (call.method !== 'write') return false;
  const mode = statSync(call.path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & SET_ID_BITS) !== 0;
}

function setIdRefused(path: string): CausewayError {
  return new CausewayError(
    'refused',
    `${path} could not be written: it runs with the rights of its owner (set-user-ID), and nothing in a sandbox may make such a file.`,
    { hint: 'Ask the person to change it, or to set "shell.sandbox" to "off" in the settings.' },
  );
}
