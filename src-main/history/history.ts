import type Database from 'better-sqlite3';
import {
  CausewayError,
  type EditKind,
  type EditView,
  type RevertKind,
  type RevertReport,
} from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import { createBesideOthers } from './beside-others.ts';
import { blameFile } from './blame.ts';
import { createConflicts } from './conflicts.ts';
import type { Actor, Change, History, KeepLimits, Patch, RecoveryReport } from './contract.ts';
import { toDetail } from './detail.ts';
import { toView } from './edit-row.ts';
import { stateOf } from './entry.ts';
import { isOnTheWay, withMissingFolders } from './folders-on-the-way.ts';
import { createJournal } from './journal.ts';
import { createObserve } from './observe.ts';
import { createOwner, ownerLives } from './owner.ts';
import { createKeyLock } from './path-lock.ts';
import { createPerform, performOne } from './perform.ts';
import { pruneHistory } from './prune.ts';
import { createPruning } from './pruning.ts';
import { recoverEdits } from './recover.ts';
import { createOnPaper } from './paper.ts';
import { createReverse } from './reverse.ts';
import { createRevert } from './revert.ts';
import { isAfter, settleEdit } from './settle.ts';
import { createVersions } from './versions.ts';

interface HistoryParts {
  /** A database that holds the tables of `historySchema`; the caller closes it. */
  db: Database.Database;
  files: FileOperator;
  blobs: ByteStore;
  /** How much is kept. Read when it is pruned. */
  keep: () => KeepLimits;
  /** Is called before paths are changed, while nothing is locked; what it throws stops the change. */
  beforeEdit: (paths: readonly string[]) => Promise<void>;
  /** Hears of every edit, after it is committed. */
  onEdit: (edit: EditView) => void;
}

/** Opens the journal of edits. Several processes may have the same one open. */
export function openHistory({ db, files, blobs, keep, beforeEdit, onEdit: heard }: HistoryParts): History {
  const journal = createJournal(db);
  const owner = createOwner();
  const lock = createKeyLock();
  const versions = createVersions(db, blobs);
  const pruning = createPruning((signal) => pruneHistory(db, blobs, keep(), signal));
  const onEdit = (edit: EditView): void => {
    pruning.soon();
    heard(edit);
  };

  /** Deals with what a dead or failed writer left pending on this path. The caller holds the path's lock. */
  async function clearPath(path: string): Promise<void> {
    for (const edit of journal.pending(path)) {
      if (edit.owner !== owner && (ownerLives(edit.owner) || !journal.claim(edit, owner))) continue;
      const settled = await settleEdit(journal, files, edit);
      if (settled.outcome === 'finished') onEdit(settled.edit);
    }
  }

  const perform = withMissingFolders(createPerform({ journal, files, blobs, versions, owner, onEdit }), files);
  const reverse = createReverse({ journal, files, blobs });
  const onPaper = createOnPaper({ journal, files, blobs, versions, reverse, owner, onEdit });
  const revert = createRevert({ journal, files, perform, reverse, onPaper });
  const past = { journal, files, blobs, versions };
  const beside = createBesideOthers(journal, owner);
  const conflicts = createConflicts({ ...past, perform });

  /** What is planned before the lock is held may be history when it is: it is looked at again inside. */
  async function onPaths<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
    return versions.during(() =>
      lock.run(paths, async () => {
        for (const path of paths) await clearPath(path);
        return work();
      }),
    );
  }

  function mustFind(editId: number): NonNullable<ReturnType<typeof journal.find>> {
    const edit = journal.find(editId);
    if (edit) return edit;
    throw new CausewayError('not_found', `There is no edit ${editId} in the history.`, {
      hint: 'List the edits to see their numbers.',
    });
  }

  function moveOne(editId: number, kind: RevertKind, actor: Actor): Promise<EditView> {
    const paths = revert.pathsOf([{ edit: mustFind(editId), kind }]);
    return beside.one(paths, async () => {
      await beforeEdit(paths);
      return onPaths(paths, () => revert.runOne(revert.moveOf(editId, kind), actor));
    });
  }

  return {
    apply: async (change) => {
      const kind = kindOf(change);
      await beforeEdit([change.path]);
      return onPaths([change.path], () => performOne(perform, { ...toStep(change), kind }));
    },
    observe: createObserve({ journal, blobs, versions, owner, onEdit, lock, clearPath }),
    newestEdit: () => journal.newestId(),
    isLeftBy: async (editId, entry) => isAfter(mustFind(editId), await stateOf(entry)),
    undo: (editId, actor) => moveOne(editId, 'undo', actor),
    redo: (editId, actor) => moveOne(editId, 'redo', actor),
    preview: (target, kind) => revert.preview(revert.movesOf(target, kind)),
    revert(target, kind, actor) {
      const planned = () => revert.movesOf(target, kind);
      async function run(): Promise<RevertReport> {
        await beforeEdit(revert.pathsOf(planned()));
        return onPaths(revert.pathsOf(planned()), () => revert.run(planned(), actor));
      }
      return beside.revert(run, planned);
    },
    conflict: (editId) => conflicts.describe(editId),
    settleConflict(editId, choice, actor) {
      const paths = revert.pathsOf([{ edit: mustFind(editId), kind: 'undo' }]);
      async function settle(): Promise<EditView> {
        const made = await conflicts.settle(editId, choice, actor);
        await revert.removeFolders({ ...revert.moveOf(editId, 'undo'), kind: 'undo' }, actor);
        return made;
      }
      return beside.one(paths, async () => {
        await beforeEdit(paths);
        return onPaths(paths, settle);
      });
    },
    blame: (path) => blameFile(past, path),
    prune: (signal) => pruneHistory(db, blobs, keep(), signal),
    newestUndoable(path, scope) {
      const edit = journal.newestApplied(path, scope);
      // A folder that was made on the way goes with its file, or stays with what else is in it.
      return edit && !isOnTheWay(edit) ? toView(edit) : undefined;
    },
    list: (filter = {}) => journal.list(filter).map(toView),
    count: (filter = {}) => journal.count(filter),
    facets: () => journal.facets(),
    show: (editId) => toDetail(mustFind(editId), blobs),
    recover: (): Promise<RecoveryReport> => recoverEdits({ journal, files, owner, onEdit, lock }),
    async [Symbol.asyncDispose]() {
      await pruning[Symbol.asyncDispose]();
      await versions[Symbol.asyncDispose]();
    },
  };
}

function toStep({ path, before, after, actor }: Change): Omit<Parameters<typeof performOne>[1], 'kind'> {
  return {
    ...{ path, actor },
    before: before && { type: 'file', bytes: before },
    after: after && { type: 'file', bytes: after },
  };
}

function kindOf({ path, before, after }: Change): EditKind {
  if (before === null && after instanceof Uint8Array) return 'create';
  if (before !== null && after === null) return 'delete';
  if (before !== null && after !== null && !leavesAsIs(before, after)) return 'modify';
  throw new CausewayError('bad_input', `The edit would change nothing in ${path}.`);
}

function leavesAsIs(before: Uint8Array, after: Uint8Array | Patch): boolean {
  if (after instanceof Uint8Array) return Buffer.compare(before, after) === 0;
  return Buffer.compare(before.subarray(after.offset, after.offset + after.length), after.bytes) === 0;
}
