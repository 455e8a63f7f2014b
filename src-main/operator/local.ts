import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import type { FileOperator, Operator } from './contract.ts';
import { fileError } from './file-errors.ts';
import { createFilesHere } from './files-here.ts';
import { locate } from './locate.ts';
import { openTerminal } from './terminal.ts';

/**
 * An operator that works directly on this machine, with the person's own rights.
 * @param workspace an existing folder.
 * @param files how files are worked on; unless it is said, here, by a program that does nothing else.
 * @throws CausewayError when the workspace is missing, unreadable or not a folder.
 */
export async function createLocalOperator({
  workspace,
  files = createFilesHere(),
}: {
  workspace: string;
  files?: FileOperator;
}): Promise<Operator> {
  const real = await existingFolder(workspace);
  return {
    kind: 'local',
    workspace: real,
    files,
    locate: (given) => locate(files, real, given),
    openTerminal,
  };
}

async function existingFolder(workspace: string): Promise<string> {
  let real: string;
  let isFolder: boolean;
  try {
    real = await realpath(path.resolve(workspace));
    isFolder = (await stat(real)).isDirectory();
  } catch (error) {
    throw fileError(error, 'looked at', workspace);
  }
  if (isFolder) return real;
  throw new CausewayError('bad_input', `The workspace ${workspace} is not a folder.`, {
    hint: 'Choose a folder as workspace.',
  });
}
