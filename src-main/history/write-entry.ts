import { CausewayError, type EntryType } from '../../src-shared/index.ts';
import type { FileOperator, FileStat } from '../operator/index.ts';
import type { NewEdit } from './edit-row.ts';

/** What comes in the place of what. */
export interface Replacement {
  path: string;
  before: EntryType | null;
  after: { type: EntryType; pieces: readonly Uint8Array[]; mode?: number } | null;
  /** The bytes stay: only permissions change. */
  modeOnly: boolean;
  /** False: whoever makes many changes syncs the folders in the end. */
  syncsFolder: boolean;
}

/**
 * When a change has its turn among others that are made together: what must be gone before folders can be, folders before what is
 * in them, and what is to be empty at the end.
 */
export type Rank = 'gone' | 'folders' | 'files' | 'emptied';

/** All ranks in their order. */
export const RANKS: readonly Rank[] = ['gone', 'folders', 'files', 'emptied'];

export function rankOf(before: EntryType | null, after: EntryType | null): Rank {
  if (after === 'folder') return 'folders';
  if (before === 'folder') return 'emptied';
  return after === null ? 'gone' : 'files';
}

/** Of folders the outer one is made first, and emptied last. */
export function compareByDepth(rank: Rank, a: string, b: string): number {
  if (rank === 'folders') return a.length - b.length;
  return rank === 'emptied' ? b.length - a.length : 0;
}

/** Permission bits with which a folder can be filled; it gets its own when everything is in it. */
export function openMode(mode: number): number {
  return mode | 0o700;
}

/** Makes the change, but for closing a folder (see {@link openMode}), each in one atomic step where the system has one. @throws CausewayError */
export async function makeChange(files: FileOperator, replacement: Replacement): Promise<void> {
  const { path, before, modeOnly, syncsFolder: syncFolder } = replacement;
  let { after } = replacement;
  if (after === null) return before === 'folder' ? removeFolder(files, path) : files.remove(path, { syncFolder });
  if (after.type === 'folder' && after.mode !== undefined) after = { ...after, mode: openMode(after.mode) };
  const mode = after.mode === undefined ? {} : { mode: after.mode };
  if (modeOnly && after.mode !== undefined) return files.setMode(path, after.mode);
  if (after.type === 'folder') {
    if (before !== null && before !== 'folder') await files.remove(path);
    return files.makeFolder(path, mode);
  }
  if (before === 'folder') await removeFolder(files, path);
  if (after.type === 'symlink') return files.makeLink(path, Buffer.concat(after.pieces));
  await files.write(path, after.pieces, { ...mode, follow: false, syncFolder });
}

/**
 * Makes a change that is nothing but the writing of a file, if the path is as it was seen. False: it was not, or the change is
 * another one; nothing was done then. @throws CausewayError
 */
export async function writeIfStill(
  files: FileOperator,
  { path, before, after, modeOnly, syncsFolder: syncFolder }: Replacement,
  seen: FileStat | null,
): Promise<boolean> {
  if (after?.type !== 'file' || before === 'folder' || modeOnly) return false;
  const mode = after.mode === undefined ? {} : { mode: after.mode };
  return files.write(path, after.pieces, { ...mode, follow: false, syncFolder, ifStill: seen });
}

/** True for an edit that changes permissions alone. */
export function isModeOnly(edit: Pick<NewEdit, 'beforeHash' | 'afterHash' | 'typeBefore' | 'typeAfter'>): boolean {
  return edit.beforeHash !== null && edit.beforeHash === edit.afterHash && edit.typeBefore === edit.typeAfter;
}

async function removeFolder(files: FileOperator, path: string): Promise<void> {
  if (await files.removeFolder(path)) return;
  throw new CausewayError('conflict', `The folder ${path} is not empty, so it was left.`, {
    hint: 'Look at what is in it.',
  });
}
