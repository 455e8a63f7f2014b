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

/** @param last what happened last at the place of the folder. */
export function folderGone({ id, path }: EditSummary, last: EditSummary): CausewayError {
  return new CausewayError(
    'conflict',
    `The folder ${last.path}, which held ${path}, is gone, so edit ${id} was left.`,
    {
      hint: `Undo what was done to the folder first, the newest edit is ${last.of ?? last.id}; or make the folder.`,
    },
  );
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

/**
 * An edit is done again on what it stood on, and on nothing else: other permissions alone would not show in the bytes.
 * @param undone the undo that holds the edit.
 */
export function redoConflict(
  journal: Journal,
  { id, path }: EditSummary,
  undone: EditSummary,
): CausewayError | undefined {
  const turned = journal.turnedSince(path, undone.id);
  const newer = turned.find(({ stands }) => stands);
  if (newer) {
    return new CausewayError('conflict', `${path} was edited again since edit ${id} was undone.`, {
      hint: `Undo edit ${newer.id} first.`,
    });
  }
  const earlier = turned.at(-1);
  if (!earlier) return undefined;
  return new CausewayError('conflict', `Edit ${id} of ${path} stands on edit ${earlier.id}, which is undone.`, {
    hint: `Redo edit ${earlier.id} first.`,
  });
}
