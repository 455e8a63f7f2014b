import { CausewayError, type RevertKind } from '../../src-shared/index.ts';
import type { FileOperator, FileStat } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import type { Actor, Entry } from './contract.ts';
import type { EditRow } from './edit-row.ts';
import { lookAtEntry, stateOf } from './entry.ts';
import { folderAfter, isFolderAlready, isFolderMove } from './folders.ts';
import type { Journal } from './journal.ts';
import type { Step } from './perform.ts';
import type { Move } from './plan.ts';
import { changedSince, newerOnTop, notApplied, notUndone, redoConflict } from './refusals.ts';
import { isAfter } from './settle.ts';
import { loadSide } from './sides.ts';

/** What is at a path. */
export interface Found {
  current: Entry | null;
  seen?: FileStat | null;
}

/** What a single move starts from, and what it comes to. */
export interface Reverse {
  /** @throws CausewayError `not_found` */
  mustFind(editId: number): EditRow;
  /** Undo and redo are edits too: taking one back is doing the other on what was asked for first. */
  moveOf(editId: number, kind: RevertKind): Move;
  /** The edit whose state before is to come back: for an undo the edit itself, for a redo its undo. @throws CausewayError */
  rowOf(move: Move): EditRow;
  /** @throws CausewayError `conflict` when by the records it is not this move's turn. */
  checkTurn(move: Move): void;
  /** @throws CausewayError `conflict` when the file is not as it was left. */
  look(move: Move, from: EditRow, actor: Pick<Actor, 'files'>): Promise<Found>;
  /** What the move makes of what is there, and the hash that this must have, where it is known. */
  after(move: Move, from: EditRow, current: Entry | null): Promise<Pick<Step, 'after' | 'expectedHash'>>;
}

export function createReverse(parts: { journal: Journal; files: FileOperator; blobs: ByteStore }): Reverse {
  const { journal, blobs } = parts;

  function mustFind(editId: number): EditRow {
    const edit = journal.find(editId);
    if (!edit) throw new CausewayError('not_found', `There is no edit ${editId} in the history.`);
    return edit;
  }

  function moveOf(editId: number, kind: RevertKind): Move {
    const edit = mustFind(editId);
    if (edit.of === null) return { edit, kind };
    const other = kind === 'undo' ? 'redo' : 'undo';
    return moveOf(edit.of, edit.kind === 'undo' ? other : kind);
  }

  function rowOf({ edit: { id }, kind }: Move): EditRow {
    const edit = mustFind(id);
    if (kind === 'undo') return edit;
    const undone = edit.state === 'undone' ? journal.activeUndo(edit.id) : undefined;
    if (!undone) throw notUndone(edit);
    return undone;
  }

  async function stateBefore(from: EditRow, current: Entry | null): Promise<Step['after']> {
    if (from.beforeHash === null) return null;
    const removed = await loadSide(blobs, { bytes: from.removed, blob: from.removedBlob, size: from.removedSize });
    const bytes = current === null ? removed : { offset: from.offset, length: from.insertedSize, bytes: removed };
    // Permissions are put back where the edit changed them, and where there was nothing that had some.
    const changed = from.modeAfter !== null || from.afterHash === null || from.typeBefore !== from.typeAfter;
    return { type: from.typeBefore, bytes, ...(changed && from.mode !== null && { mode: from.mode }) };
  }

  return {
    mustFind,
    moveOf,
    rowOf,
    checkTurn(move) {
      const edit = mustFind(move.edit.id);
      if (move.kind === 'redo') {
        const conflict = redoConflict(journal, edit, rowOf(move));
        if (conflict) throw conflict;
        return;
      }
      if (edit.state !== 'applied') throw notApplied(edit);
      const newer = journal.newestApplied(edit.path, { all: true });
      if (newer && newer.position > edit.position) throw newerOnTop(edit, newer);
    },
    async look(move, from, { files = parts.files }) {
      const { current, seen } = await lookAtEntry(files, from.path);
      const state = await stateOf(current);
      if (isAfter(from, state) || isFolderAlready(from, state)) return { current, seen };
      throw changedSince(from, move.kind === 'undo' ? `edit ${from.id}` : `the undo of edit ${move.edit.id}`);
    },
    async after(move, from, current) {
      // A folder that is done again may be there before its turn: the edit itself says how it is to be.
      if (move.kind === 'redo' && isFolderMove(mustFind(move.edit.id))) return { after: folderAfter(move.edit) };
      return { after: await stateBefore(from, current), expectedHash: from.beforeHash };
    },
  };
}
