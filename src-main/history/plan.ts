import type { EditTarget, EntryType, RevertKind } from '../../src-shared/index.ts';
import type { EditSummary } from './edit-row.ts';
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
    kind === 'undo' ? edits.filter(({ state }) => state === 'applied').reverse() : lastUndoneFirst(journal, edits);
  return chosen.map((edit) => ({ edit, kind }));
}

/** Each was taken back when it was the newest change, so what was taken back last stands on what was there before. */
function lastUndoneFirst(journal: Journal, edits: readonly EditSummary[]): EditSummary[] {
  return edits
    .filter(({ state }) => state === 'undone')
    .map((edit) => ({ edit, undo: journal.activeUndo(edit.id)?.id ?? 0 }))
    .sort((a, b) => b.undo - a.undo)
    .map(({ edit }) => edit);
}

/** Back to how a session had left things after its edit `since`: what it changed since then goes, what it took back since comes back. */
function planBackTo(journal: Journal, sessionId: string, since: number): Move[] {
  const undo: Move[] = [];
  const redo: (Move & { madeAt: number })[] = [];
  for (const { original: edit, turns } of journal.ofSession(sessionId)) {
    const last = turns.at(-1);
    // What another session did to an edit of its own since is its own affair.
    if (edit.sessionId !== sessionId && last?.sessionId !== sessionId) continue;
    const lastThen = turns.findLast(({ id }) => id <= since);
    const stood = edit.id <= since && lastThen?.kind !== 'undo';
    if (edit.state === 'applied' && !stood) undo.push({ edit, kind: 'undo' });
    if (edit.state === 'undone' && stood) redo.push({ edit, kind: 'redo', madeAt: lastThen?.id ?? edit.id });
  }
  // Where it stood then counts, not where it stood when it was done again since.
  return [...undo.reverse(), ...redo.sort((a, b) => a.madeAt - b.madeAt)];
}

/** The moves of each path, in their order. */
export function byPath(moves: readonly Move[]): Map<string, Move[]> {
  return Map.groupBy(moves, ({ edit }) => edit.path);
}

/** What is there before a move and after it. */
export function typesOf({ edit, kind }: Move): [EntryType | null, EntryType | null] {
  const before = edit.beforeHash === null ? null : edit.typeBefore;
  const after = edit.afterHash === null ? null : edit.typeAfter;
  return kind === 'undo' ? [after, before] : [before, after];
}
