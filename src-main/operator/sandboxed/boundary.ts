import path from 'node:path';
import { CausewayError } from '../../../src-shared/index.ts';
import { isInside } from '../../platform/index.ts';
import type { FileCall } from '../calls/file-call.ts';
import { realPath, realPlace } from '../real-path.ts';
import type { WorkerOptions } from './protocol.ts';

/*
 * Sentences for what the sandbox does not let happen. This is not the wall: what is looked at here can be swapped a moment later,
 * and then the mounts decide, with the system's own words.
 */

const CHANGING: ReadonlySet<FileCall['method']> = new Set([
  ...(['write', 'remove', 'setMode', 'makeLink', 'makeFolder', 'removeFolder'] as const),
]);
/** Calls that mean an entry itself, not what it leads to. */
const OF_ENTRY: ReadonlySet<FileCall['method']> = new Set([
  ...(['entry', 'remove', 'readLink', 'makeLink', 'makeFolder', 'removeFolder'] as const),
]);

/** True for what alters files. `settle` is not among them: where nothing was left half done it does nothing. */
export function changes({ method }: FileCall): boolean {
  return CHANGING.has(method);
}

/** @throws CausewayError `refused` for what leads out of the workspace, or would change a protected entry. */
export function checkBoundary(call: FileCall, { workspace, protectedEntries }: WorkerOptions): void {
  const isEntry = OF_ENTRY.has(call.method) || ('follow' in call && !call.follow);
  const real = isEntry ? realPlace(call.path) : realPath(call.path);
  if (!isInside(real, workspace)) {
    throw new CausewayError('refused', `${call.path} leads out of the workspace, to ${real}.`, {
      hint: 'Ask for that path itself, so that the person can allow it, or work on a file of the workspace.',
    });
  }
  const kept = protectedEntries.find((entry) => isInside(real, path.join(workspace, entry)));
  if (kept !== undefined && changes(call)) {
    throw new CausewayError('refused', `${call.path} stays as it is: programs outside of the sandbox obey ${kept}.`, {
      hint: 'Ask the person to change it, or to set "shell.sandbox" to "off" in the settings.',
    });
  }
}
