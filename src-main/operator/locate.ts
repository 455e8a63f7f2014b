import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import { isInside } from '../platform/index.ts';
import type { FileOperator, Location } from './contract.ts';

/**
 * Resolves a path as a model gave it. Nothing in it is expanded: quotes, `$()` and spaces are letters of a name.
 * @param workspace absolute, symlinks resolved.
 * @throws CausewayError `bad_input` for what can't be a path, `refused` when it can't be looked at.
 */
export async function locate(files: FileOperator, workspace: string, given: string): Promise<Location> {
  if (given === '') throw new CausewayError('bad_input', 'The path is empty.', { hint: 'Name a file or folder.' });
  if (given.includes('\0')) throw new CausewayError('bad_input', 'The path holds a NUL character, which no name can.');
  if (!given.isWellFormed()) {
    throw new CausewayError('bad_input', 'The path holds half of a character, which no name can.', {
      hint: 'Send the whole character.',
    });
  }
  if (given === '~' || given.startsWith('~/')) {
    // Taken literally it would make a folder named "~"; expanded silently it would leave the workspace.
    throw new CausewayError('bad_input', `"~" is not expanded in paths (${given}).`, {
      hint: `Give the whole path, or ./${given} for an entry of that very name.`,
    });
  }
  const absolute = path.resolve(workspace, given);
  const real = await files.realPath(absolute);
  return { absolute, real, inside: isInside(real, workspace) };
}
