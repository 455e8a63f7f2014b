import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from './paths.ts';

/*
 * A security boundary: which programs the host itself starts by name. A folder of PATH may lie in a workspace (`node_modules/.bin`, an
 * activated `.venv/bin`), where sandboxed code can put a program of any name: the system's folders come first, and what lies in a
 * workspace or can be written by everybody is not taken at all.
 *
 * It does NOT protect against: programs that the person starts by name in a shell of their own.
 */

/** Where programs are looked for. */
export interface ProgramSearch {
  /** In the form of PATH. */
  readonly searchPath: string;
  /** Folders that code of a model can write to, as they are known now. */
  readonly workspaces: () => readonly string[];
}

/** Where programs of the system itself are looked for, whatever the person's PATH says. */
export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin:/opt/homebrew/bin';

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', '/bin', '/sbin'];
const WRITABLE_BY_ALL = 0o002;

/** The folders of the search that can be trusted, in its order but the system's first; links resolved, each once. */
export function programFolders({ searchPath, workspaces }: ProgramSearch): string[] {
  const known = realFolders(workspaces());
  const folders = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const ordered = [
    ...folders.filter((folder) => SYSTEM_FOLDERS.includes(folder)),
    ...folders.filter((folder) => !SYSTEM_FOLDERS.includes(folder)),
  ];
  const trusted = ordered.filter((folder) => isTrusted(folder, known));
  return [...new Set(trusted.map((folder) => realpathSync(folder)))];
}

/** The program of this name that the host may start; undefined when there is none. */
export function findTrustedProgram(name: string, search: ProgramSearch): string | undefined {
  const known = realFolders(search.workspaces());
  return programFolders(search)
    .map((folder) => path.join(folder, name))
    .find((file) => isProgram(file) && isTrusted(file, known));
}

/** Neither it nor what it leads to lies in one of these folders, or in a place where everybody may put another one. */
function isTrusted(entry: string, workspaces: readonly string[]): boolean {
  try {
    const real = realpathSync(entry);
    if (workspaces.some((folder) => isInside(entry, folder) || isInside(real, folder))) return false;
    return (statSync(real).mode & WRITABLE_BY_ALL) === 0;
  } catch {
    return false;
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function realFolders(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    try {
      return [folder, realpathSync(folder)];
    } catch {
      return [folder];
    }
  });
}
