import type { BigIntStats, Dirent } from 'node:fs';
import { chmod, lstat, readdir, readlink, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { createAttributeKeeper } from './attributes.ts';
import type { FileKind, FileOperator } from './contract.ts';
import { errorName, explained } from './file-errors.ts';
import { makeFolder, makeLink, removeFolder } from './links-and-folders.ts';
import { isOwnPlace } from './real-path.ts';
import { fileHolds, readFile } from './regular-file.ts';
import { settleLeftovers, syncFolder, writeFile } from './write-file.ts';

/** This machine's files, directly. */
export function createLocalFiles(): FileOperator {
  const attributes = createAttributeKeeper();
  return {
    stat: (file, { follow = true } = {}) => explained('looked at', file, () => statFile(file, follow)),
    read: (file, range) => explained('read', file, () => readFile(file, range)),
    holds: (file, expected) => explained('read', file, () => fileHolds(file, expected)),
    write: (file, chunks, options = {}) =>
      explained('written', file, () =>
        writeFile(attributes, file, chunks instanceof Uint8Array ? [chunks] : chunks, options),
      ),
    remove: (file, options = {}) => explained('removed', file, () => removeFile(file, options)),
    syncFolder: (folder) => explained('written', folder, () => syncFolder(folder)),
    setMode: (file, mode) => explained('given other permissions', file, () => chmod(file, mode)),
    readLink: (link) => explained('read', link, () => readlink(link, { encoding: 'buffer' })),
    makeLink: (link, target) => explained('made', link, () => makeLink(link, target)),
    makeFolder: (folder, { mode } = {}) => explained('made', folder, () => makeFolder(folder, mode)),
    removeFolder: (folder) => explained('removed', folder, () => removeFolder(folder)),
    list: (folder) => explained('listed', folder, () => listFolder(folder)),
    settle: (file) => explained('written', file, () => settleLeftovers(file)),
  };
}

async function statFile(file: string, follow: boolean): ReturnType<FileOperator['stat']> {
  try {
    const stats = await (follow ? stat : lstat)(file, { bigint: true });
    if (!follow && !(await isOwnPlace(file))) return null;
    return {
      kind: kindOf(stats),
      size: Number(stats.size),
      mode: Number(stats.mode) & 0o7777,
      mtimeMs: Number(stats.mtimeNs) / 1e6,
      stamp: [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':'),
    };
  } catch (error) {
    const name = errorName(error);
    // Links on the way that lead in a circle are none to follow.
    if (name === 'ENOENT' || name === 'ENOTDIR' || (name === 'ELOOP' && !follow)) return null;
    throw error;
  }
}

async function removeFile(file: string, options: { syncFolder?: boolean }): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (errorName(error) === 'ENOENT') return;
    throw error;
  }
  if (options.syncFolder !== false) await syncFolder(path.dirname(file));
}

async function listFolder(folder: string): ReturnType<FileOperator['list']> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function kindOf(entry: BigIntStats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
