import { CausewayError } from '../../src-shared/index.ts';
import type { EditSummary } from './edit-row.ts';
import type { Journal } from './journal.ts';

/** Why an edit can't be taken back or done again now: conflicts, each with the way out. */

export function newerOnTop({ id, path }: EditSummary, newer: EditSummary): CausewayError {
  return new CausewayError('conflict', `Edit ${id} of ${path} has a newer edit on top of it.`, {
    hint: `Undo edit ${newer.id} first.`,
  });
}

export function changedSince({ path }: EditSummary, what: string): CausewayError {
  return new CausewayError('conflict', `${path} is not what ${what} left behind: it was changed since.`, {
    hint: 'It was left as it is. Compare the two, merge them, or change it by hand.',
  });
}

export function notApplied({ id, path, state }: EditSummary): CausewayError {
  const why = {
    undone: 'is already undone',
    pending: 'is still being made',
    dropped: 'was never made',
    conflict: 'was half made when the program ended, and the file has changed since',
    applied: 'is in place',
  }[state];
  return new CausewayError('conflict', `Edit ${id} of ${path} ${why}, so it can't be undone.`);
}

export function notUndone({ id, path }: EditSummary): CausewayError {
  return new CausewayError('conflict', `Edit ${id} of ${path} is not undone, so it can't be done again.`);
}

/** @param undone the undo that holds the edit. */
export function redoConflict(journal: Journal, edit: EditSummary, undone: EditSummary): CausewayError {
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
      { hint: `Redo edit ${earlier.id} first.` },
    );
  }
  return changedSince(edit, `the undo of edit ${edit.id}`);
}
