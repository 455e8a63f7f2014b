import type { EntryType } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import type { EditRow } from './edit-row.ts';
import { readEntry, stateOf } from './entry.ts';
import type { Journal } from './journal.ts';
import { isAfter } from './settle.ts';
import { loadSide } from './sides.ts';
import type { Versions } from './versions.ts';

/** What was at a path: null for nothing, undefined when it is not known any more. */
export type PastState = { type: EntryType; bytes: Uint8Array } | null | undefined;

/** One thing that happened to a path. */
export interface PastEdit {
  edit: EditRow;
  before: PastState;
  after: PastState;
}

export interface PastParts {
  journal: Journal;
  files: FileOperator;
  blobs: ByteStore;
  versions: Versions;
}

/**
 * Goes back through everything that happened to a path, the newest first. A state is known when it follows from the file as it is,
 * from a version that was kept, or from the state after it.
 */
export async function* walkBack(parts: PastParts, path: string): AsyncGenerator<PastEdit> {
  const { journal, versions } = parts;
  const now = await readEntry(parts.files, path);
  let known: PastState = now && { type: now.type, bytes: now.bytes };
  let hash = (await stateOf(now)).hash;
  for (const { id } of journal.ofPath(path)) {
    const edit = journal.find(id);
    if (!edit) continue;
    const follows: boolean =
      known !== undefined && isAfter(edit, { type: known?.type ?? 'file', hash, mode: edit.modeAfter });
    const after: PastState = follows ? known : await kept(versions, edit);
    const before = await bytesBefore(parts.blobs, edit, after);
    yield { edit, before, after };
    known = before;
    hash = edit.beforeHash;
  }
}

/** An edit with the states on both sides of it, as far as they are known. */
export async function findInPast(parts: PastParts, edit: EditRow): Promise<PastEdit> {
  for await (const past of walkBack(parts, edit.path)) if (past.edit.id === edit.id) return past;
  return { edit, before: undefined, after: undefined };
}

async function kept(versions: Versions, edit: EditRow): Promise<PastState> {
  if (edit.afterHash === null) return null;
  const bytes = await versions.read(edit.id);
  return bytes && { type: edit.typeAfter, bytes };
}

/** What an edit found, from what it left. Undefined when what is needed is gone. That there was nothing is known without what came after. */
export async function bytesBefore(blobs: ByteStore, edit: EditRow, after: PastState): Promise<PastState> {
  if (edit.beforeHash === null) return null;
  if (after === undefined) return undefined;
  try {
    const removed = await loadSide(blobs, { bytes: edit.removed, blob: edit.removedBlob, size: edit.removedSize });
    if (after === null) return { type: edit.typeBefore, bytes: removed };
    const { offset, insertedSize } = edit;
    const bytes = Buffer.concat([
      after.bytes.subarray(0, offset),
      removed,
      after.bytes.subarray(offset + insertedSize),
    ]);
    return { type: edit.typeBefore, bytes };
  } catch {
    return undefined;
  }
}
