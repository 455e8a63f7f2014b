import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import type { Operator } from './contract.ts';
import { explained } from './file-errors.ts';
import { createLocalFiles } from './local-files.ts';
import { locate } from './locate.ts';
import { openTerminal } from './terminal.ts';

/**
 * An operator that works directly on this machine, with the person's own rights.
 * @param workspace an existing folder.
 * @throws CausewayError when the workspace is missing, unreadable or not a folder.
 */
export async function createLocalOperator({ workspace }: { workspace: string }): Promise<Operator> {
  const real = await explained('looked at', workspace, () => realpath(path.resolve(workspace)));
  const stats = await explained('looked at', workspace, () => stat(real));
  if (!stats.isDirectory()) {
    throw new CausewayError('bad_input', `The workspace ${workspace} is not a folder.`, {
      hint: 'Choose a folder as workspace.',
    });
  }
  return {
    kind: 'local',
    workspace: real,
    files: createLocalFiles(),
    locate: (given) => locate(real, given),
    openTerminal,
  };
}
