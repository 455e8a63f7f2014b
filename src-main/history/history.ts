import type Database from 'better-sqlite3';
import { CausewayError, type EditKind, type EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { BlobStore } from '../store/index.ts';
import { recordContent } from './content.ts';
import type { Actor, Change, History, Patch, RecoveryReport } from './contract.ts';
import { toDetail } from './detail.ts';
import { newEdit, toView, type NewEdit } from './edit-row.ts';
import { createJournal } from './journal.ts';
import { createOwner, ownerLives } from './owner.ts';
import { createKeyLock } from './path-lock.ts';
import { createPerform } from './perform.ts';
import { recoverEdits } from './recover.ts';
import { settleEdit } from './settle.ts';
import { createTakeBack } from './take-back.ts';

interface HistoryParts {
  /** A database that holds the tables of `historySchema`; the caller closes it. */
  db: Database.Database;
  files: FileOperator;
  blobs: BlobStore;
  /** Hears of every edit, after it is committed. */
  onEdit: (edit: EditView) => void;
}

/** Opens the journal of edits. Several processes may have the same one open. */
export function openHistory({ db, files, blobs, onEdit }: HistoryParts): History {
  const journal = createJournal(db);
  const owner = createOwner();
  const lock = createKeyLock();

  /** Deals with what a dead or failed writer left pending on this path. The caller holds the path's lock. */
  async function clearPath(path: string): Promise<void> {
    for (const edit of journal.pending(path)) {
      if (edit.owner !== owner && (ownerLives(edit.owner) || !journal.claim(edit, owner))) continue;
      const settled = await settleEdit(journal, files, edit);
      if (settled.outcome === 'finished') onEdit(settled.edit);
    }
  }

  const perform = createPerform({ journal, files, blobs, owner, onEdit });
  const takeBack = createTakeBack({ journal, files, blobs, perform });

  /** The state of an edit is read inside the lock: another call may just be changing it. */
  async function onPathOf<T>(editId: number, work: () => Promise<T>): Promise<T> {
    const edit = journal.find(editId);
    if (!edit) throw noSuchEdit(editId);
    return lock.run(edit.path, async () => {
      await clearPath(edit.path);
      return work();
    });
  }

  return {
    apply: (change) =>
      lock.run(change.path, async () => {
        const kind = kindOf(change);
        await clearPath(change.path);
        return perform({ ...change, kind });
      }),
    async observe(changes) {
      const edits: (NewEdit & { since: number })[] = [];
      for (const change of changes) {
        const { content } = await recordContent(blobs, change.before, change.after);
        edits.push({ ...newEdit(change, content, { kind: kindOf(change), owner }), since: change.since });
      }
      const views = journal.add(edits).map(toView);
      views.forEach(onEdit);
      return views;
    },
    undo: (editId: number, actor: Actor) => onPathOf(editId, () => takeBack.undo(editId, actor)),
    redo: (editId: number, actor: Actor) => onPathOf(editId, () => takeBack.redo(editId, actor)),
    newestUndoable(path, scope) {
      const edit = journal.newestApplied(path, scope);
      return edit && toView(edit);
    },
    list: (filter = {}) => journal.list(filter).map(toView),
    show(editId) {
      const row = journal.find(editId);
      if (!row) throw noSuchEdit(editId);
      return toDetail(row, blobs);
    },
    recover: (): Promise<RecoveryReport> => recoverEdits({ journal, files, owner, onEdit, lock }),
  };
}

function kindOf({ path, before, after }: Pick<Change, 'path' | 'before' | 'after'>): EditKind {
  if (before === null && after instanceof Uint8Array) return 'create';
  if (before !== null && after === null) return 'delete';
  if (before !== null && after !== null && !leavesAsIs(before, after)) return 'modify';
  throw new CausewayError('bad_input', `The edit would change nothing in ${path}.`);
}

function leavesAsIs(before: Uint8Array, after: Uint8Array | Patch): boolean {
  if (after instanceof Uint8Array) return Buffer.compare(before, after) === 0;
  return Buffer.compare(before.subarray(after.offset, after.offset + after.length), after.bytes) === 0;
}

function noSuchEdit(editId: number): CausewayError {
  return new CausewayError('not_found', `There is no edit ${editId} in the history.`, {
    hint: 'List the edits to see their numbers.',
  });
}
