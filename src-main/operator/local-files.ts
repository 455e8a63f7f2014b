import { chmodSync, readdirSync, readlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { createAttributeKeeper, type PlainFiles } from './attributes.ts';
import type { FileOperator } from './contract.ts';
import { errorName, explained } from './file-errors.ts';
import { kindOf, statFile } from './file-stat.ts';
import { makeFolder, makeLink, removeFolder } from './links-and-folders.ts';
import { realPath } from './real-path.ts';
import { fileHolds, readFile } from './regular-file.ts';
import { settleLeftovers, syncFolder, writeFile } from './write-file.ts';

const NOTHING = new Uint8Array(0);

/** A `FileOperator` that comes back with what is asked for: it is for a thread, or a process, that has nothing else to do. */
export type LocalFiles = {
  [Method in keyof FileOperator]: (
    ...given: Parameters<FileOperator[Method]>
  ) => Awaited<ReturnType<FileOperator[Method]>>;
};

/**
 * This machine's files, directly. A call is done in one go: between two threads a message each way costs as much as one of the
 * system calls that it is made of.
 */
export function createLocalFiles(plain: PlainFiles): LocalFiles {
  const attributes = createAttributeKeeper(plain);
  const files: LocalFiles = {
    realPath: (file) => explained('looked at', file, () => realPath(file)),
    stat: (file, { follow = true } = {}) => explained('looked at', file, () => statFile(file, follow)),
    entry(file) {
      const stat = files.stat(file, { follow: false });
      if (stat === null) return null;
      if (stat.kind === 'symlink') return { stat, bytes: files.readLink(file) };
      return { stat, bytes: stat.kind === 'file' ? files.read(file) : NOTHING };
    },
    read: (file, range) => explained('read', file, () => readFile(file, range)),
    holds: (file, expected) => explained('read', file, () => fileHolds(file, expected)),
    write: (file, chunks, options = {}) =>
      explained('written', file, () =>
        writeFile(attributes, file, chunks instanceof Uint8Array ? [chunks] : chunks, options),
      ),
    remove: (file, options = {}) => explained('removed', file, () => removeFile(file, options)),
    syncFolder: (folder) => explained('written', folder, () => syncFolder(folder)),
    setMode: (file, mode) => explained('given other permissions', file, () => chmodSync(file, mode)),
    readLink: (link) => explained('read', link, () => readlinkSync(link, { encoding: 'buffer' })),
    makeLink: (link, target) => explained('made', link, () => makeLink(link, target)),
    makeFolder: (folder, { mode } = {}) => explained('made', folder, () => makeFolder(folder, mode)),
    removeFolder: (folder) => explained('removed', folder, () => removeFolder(folder)),
    list: (folder) => explained('listed', folder, () => listFolder(folder)),
    settle: (file) => explained('written', file, () => settleLeftovers(file)),
  };
  return files;
}

function removeFile(file: string, options: { syncFolder?: boolean }): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (errorName(error) === 'ENOENT') return;
    throw error;
  }
  if (options.syncFolder !== false) syncFolder(path.dirname(file));
}

function listFolder(folder: string): ReturnType<LocalFiles['list']> {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
