import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder and those above it that are missing; content when it is there. Node's own `recursive` never comes back where
 * the folder above is there and the system still says "not found", as below /proc.
 * @throws the system's error.
 */
export function makeFolders(folder: string, mode?: number): void {
  if (isFolder(folder)) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolders(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Somebody else was faster.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    // What is wrong shows when it is made.
    return false;
  }
}
