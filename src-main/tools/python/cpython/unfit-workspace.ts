import { homedir } from 'node:os';
import { realpathSync } from 'node:fs';
import { isInside } from '../../../platform/index.ts';

/**
 * Why code may not have this folder as its workspace, in a sentence with the way out: the home folder holds keys and passwords, and
 * what starts at the next login. Undefined for one that it may have.
 */
export function unfitWorkspace(workspace: string): string | undefined {
  const home = homedir();
  const homes = [home];
  try {
    homes.push(realpathSync(home));
  } catch {
    // Somebody without a home folder.
  }
  if (!homes.some((one) => one !== '/' && isInside(one, workspace))) return undefined;
  return `Python does not run with ${workspace} as its workspace, because your home folder with its keys and passwords is in it: work in a folder below it, one for each project.`;
}
