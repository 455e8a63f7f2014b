import { CausewayError, type EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import { toView, type EditSummary } from './edit-row.ts';
import { readEntry, stateOf, type EntryState } from './entry.ts';
import type { Journal } from './journal.ts';

/** What became of an edit that was half done. `elsewhere`: another process settled it. */
export type Settled = { outcome: 'finished' | 'conflict'; edit: EditView } | { outcome: 'dropped' | 'elsewhere' };

/**
 * Settles a pending edit whose writer is gone or has failed, by what the file holds: the new state, it was made; the old, it was
 * not; neither, it is left to the person.
 * @throws CausewayError when the file can't be read; the edit stays pending then.
 */
export async function settleEdit(journal: Journal, files: FileOperator, edit: EditSummary): Promise<Settled> {
  await files.settle(edit.path);
  const found = await madeWhole(files, edit, await stateNow(files, edit.path));
  if (isAfter(edit, found)) {
    const [finished] = journal.finish([edit.id]);
    return finished ? { outcome: 'finished', edit: toView(finished) } : { outcome: 'elsewhere' };
  }
  if (isBefore(edit, found)) {
    return { outcome: journal.close(edit.id, 'dropped') ? 'dropped' : 'elsewhere' };
  }
  const closed = journal.close(edit.id, 'conflict');
  return closed ? { outcome: 'conflict', edit: toView({ ...edit, state: 'conflict' }) } : { outcome: 'elsewhere' };
}

async function stateNow(files: FileOperator, path: string): Promise<EntryState> {
  try {
    return await stateOf(await readEntry(files, path));
  } catch (error) {
    // A device where the file was is neither old nor new.
    if (error instanceof CausewayError && error.code === 'conflict') {
      return { type: 'file', hash: 'something else', mode: null };
    }
    throw error;
  }
}

/**
 * Between a folder and what is none there is a moment at which nothing is there. An empty folder is easily made: it comes back, or
 * comes, and nothing is lost.
 */
async function madeWhole(files: FileOperator, edit: EditSummary, found: EntryState): Promise<EntryState> {
  const [isFrom, isTo] = [edit.typeBefore === 'folder', edit.typeAfter === 'folder'];
  const isHalfDone = found.hash === null && edit.beforeHash !== null && edit.afterHash !== null && isFrom !== isTo;
  if (!isHalfDone) return found;
  const mode = isFrom ? edit.mode : edit.modeAfter;
  await files.makeFolder(edit.path, mode === null ? {} : { mode });
  return stateNow(files, edit.path);
}

/** True when this is what the edit leaves behind. Permissions decide only where they are all that it changes. */
export function isAfter(edit: EditSummary, { type, hash, mode }: EntryState): boolean {
  if (hash !== edit.afterHash || (hash !== null && type !== edit.typeAfter)) return false;
  const changesModeOnly = edit.beforeHash === edit.afterHash && edit.typeBefore === edit.typeAfter;
  return !changesModeOnly || edit.modeAfter === null || mode === edit.modeAfter;
}

function isBefore(edit: EditSummary, { type, hash }: EntryState): boolean {
  return hash === edit.beforeHash && (hash === null || type === edit.typeBefore);
}
