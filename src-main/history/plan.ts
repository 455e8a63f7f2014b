import type { EditTarget, RevertKind } from '../../src-shared/index.ts';
import type { EditSummary } from './edit-row.ts';
import { withFolderMoves } from './folders.ts';
import type { Journal } from './journal.ts';

/** An edit (never an undo or redo itself) and what is to be done with it. */
export interface Move {
  edit: EditSummary;
  kind: RevertKind;
}

/** What must be taken back and done again, in this order: of each path the newest change is taken back first. */
export function planOf(journal: Journal, target: EditTarget, kind: RevertKind): Move[] {
  if ('sessionId' in target) return planBackTo(journal, target.sessionId, target.since);
  const edits = journal.originals(target);
  const chosen =
    kind === 'undo'
      ? edits.filter(({ state }) => state === 'applied').reverse()
      : edits.filter(({ state }) => state === 'undone');
  return withFolderMoves(
    journal,
    chosen.map((edit) => ({ edit, kind })),
  );
}

/** Back to how a session had left things after its edit `since`: what it changed since then goes, what it took back since comes back. */
function planBackTo(journal: Journal, sessionId: string, since: number): Move[] {
  const undo: Move[] = [];
  const redo: Move[] = [];
  for (const { original: edit, turns } of journal.ofSession(sessionId)) {
    const last = turns.at(-1);
    // What another session did to an edit of its own since is its own affair.
    if (edit.sessionId !== sessionId && last?.sessionId !== sessionId) continue;
    const stood = edit.id <= since && turns.findLast(({ id }) => id <= since)?.kind !== 'undo';
    if (edit.state === 'applied' && !stood) undo.push({ edit, kind: 'undo' });
    if (edit.state === 'undone' && stood) redo.push({ edit, kind: 'redo' });
  }
  return [...undo.reverse(), ...redo];
}
