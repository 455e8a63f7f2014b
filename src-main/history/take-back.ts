import { CausewayError, type EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { BlobStore } from '../store/index.ts';
import type { Actor } from './contract.ts';
import { digest } from './digest.ts';
import type { EditRow } from './edit-row.ts';
import type { Journal } from './journal.ts';
import type { Step } from './perform.ts';
import { loadSide } from './sides.ts';

/** Undo and redo. The caller holds the lock of the path. */
export interface TakeBack {
  undo(editId: number, actor: Actor): Promise<EditView>;
  redo(editId: number, actor: Actor): Promise<EditView>;
}

export function createTakeBack(parts: {
  journal: Journal;
  files: FileOperator;
  blobs: BlobStore;
  perform: (step: Step) => Promise<EditView>;
}): TakeBack {
  const { journal, files, blobs, perform } = parts;

  async function undo(editId: number, actor: Actor): Promise<EditView> {
    const edit = mustFind(editId);
    // Undo and redo are edits too: taking one back is doing the other on what was asked for first.
    if (edit.of !== null) return edit.kind === 'undo' ? redo(edit.of, actor) : undo(edit.of, actor);
    if (edit.state !== 'applied') throw notApplied(edit);
    const newer = journal.newestApplied(edit.path, { all: true });
    if (newer && newer.position > edit.position) {
      throw new CausewayError('conflict', `Edit ${edit.id} of ${edit.path} has a newer edit on top of it.`, {
        hint: `Undo edit ${newer.id} first.`,
      });
    }
    return reverse(edit, { kind: 'undo', of: edit.id, actor }, () => changedSince(edit, `edit ${edit.id}`));
  }

  async function redo(editId: number, actor: Actor): Promise<EditView> {
    const edit = mustFind(editId);
    if (edit.of !== null) return edit.kind === 'undo' ? undo(edit.of, actor) : redo(edit.of, actor);
    const undone = edit.state === 'undone' ? journal.activeUndo(edit.id) : undefined;
    if (!undone) {
      throw new CausewayError('conflict', `Edit ${edit.id} of ${edit.path} is not undone, so it can't be done again.`);
    }
    return reverse(undone, { kind: 'redo', of: edit.id, actor }, () => redoConflict(edit, undone));
  }

  /** Gives the file the bytes it had before `edit`, as a new edit. */
  async function reverse(
    edit: EditRow,
    what: { kind: 'undo' | 'redo'; of: number; actor: Actor },
    conflict: () => CausewayError,
  ): Promise<EditView> {
    const current = await readOrNull(edit.path);
    if ((await digest(current)) !== edit.afterHash) throw conflict();
    return perform({
      ...what,
      path: edit.path,
      before: current,
      after: await stateBefore(edit, current),
      expectedHash: edit.beforeHash,
      ...(edit.mode !== null && { mode: edit.mode }),
    });
  }

  async function stateBefore(edit: EditRow, current: Uint8Array | null): Promise<Step['after']> {
    if (edit.beforeHash === null) return null;
    const bytes = await loadSide(blobs, { bytes: edit.removed, blob: edit.removedBlob, size: edit.removedSize });
    return current === null ? bytes : { offset: edit.offset, length: edit.insertedSize, bytes };
  }

  async function readOrNull(path: string): Promise<Uint8Array | null> {
    const stat = await files.stat(path);
    if (stat === null) return null;
    if (stat.kind === 'file') return files.read(path);
    throw new CausewayError('conflict', `${path} is not a file any more.`, {
      hint: 'Move what is there out of the way.',
    });
  }

  function redoConflict(edit: EditRow, undone: EditRow): CausewayError {
    const newer = journal.newestApplied(edit.path, { all: true });
    if (newer && newer.position > undone.position) {
      return new CausewayError('conflict', `${edit.path} was edited again since edit ${edit.id} was undone.`, {
        hint: `Undo edit ${newer.id} first.`,
      });
    }
    const earlier = journal.undoneWithResult(edit.path, edit.beforeHash);
    if (earlier && earlier.id !== edit.id) {
      return new CausewayError(
        'conflict',
        `Edit ${edit.id} of ${edit.path} stands on edit ${earlier.id}, which is undone.`,
        {
          hint: `Redo edit ${earlier.id} first.`,
        },
      );
    }
    return changedSince(edit, `the undo of edit ${edit.id}`);
  }

  function mustFind(editId: number): EditRow {
    const edit = journal.find(editId);
    if (!edit) throw new CausewayError('not_found', `There is no edit ${editId} in the history.`);
    return edit;
  }

  return { undo, redo };
}

function changedSince({ path }: EditRow, what: string): CausewayError {
  return new CausewayError('conflict', `${path} is not what ${what} left behind: it was changed since.`, {
    hint: 'It was left as it is. Change it by hand, or put it back first.',
  });
}

function notApplied({ id, path, state }: EditRow): CausewayError {
  const why = {
    undone: 'is already undone',
    pending: 'is still being made',
    dropped: 'was never made',
    conflict: 'was half made when the program ended, and the file has changed since',
    applied: 'is in place',
  }[state];
  return new CausewayError('conflict', `Edit ${id} of ${path} ${why}, so it can't be undone.`);
}
