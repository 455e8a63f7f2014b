import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../../platform/index.ts';

/*
 * A security boundary: what an interpreter says of itself decides what the sandbox shows, and an interpreter may lie in a workspace, or
 * be led by files there. So a folder is shown only when it looks like a Python from outside.
 */

/** A folder that Python itself would take for its own: of an installation, or of a virtual environment. */
export function isPythonFolder(folder: string): boolean {
  if (existsSync(path.join(folder, 'pyvenv.cfg'))) return existsSync(path.join(folder, 'bin', 'python3'));
  return ['lib', 'lib64'].some((name) =>
    names(path.join(folder, name)).some(
      (one) => /^python3\.\d+t?$/.test(one) && existsSync(path.join(folder, name, one, 'os.py')),
    ),
  );
}

/** Those of the folders that are a Python's, or that one of them covers. */
export function pythonFolders(folders: readonly string[]): string[] {
  const tops = folders.filter(isPythonFolder);
  return folders.filter((folder) => tops.some((top) => isInside(folder, top)));
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
