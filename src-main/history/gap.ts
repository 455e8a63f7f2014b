import type { EditSummary } from './edit-row.ts';
import type { EntryState } from './entry.ts';

/**
 * What of a change is nobody's edit yet: nothing; what came after an edit, or after what was known; or what came before edits that
 * led to what is there.
 */
export type Gap =
  { where: 'nowhere' } | { where: 'on top'; of: EditSummary | undefined } | { where: 'below'; edits: EditSummary[] };

/**
 * Finds out which part of a change the edits of its path do not tell of.
 * @param known how it was.
 * @param now how it is.
 * @param edits what happened to the path since it was looked at last, the oldest first; `known` may hold some of it already.
 */
export function findGap(known: EntryState, now: EntryState, edits: readonly EditSummary[]): Gap {
  const newest = edits.at(-1);
  if (!newest || fits(known, stateAfter(newest))) return { where: 'on top', of: undefined };
  const chain = lastChain(edits);
  const isReached = fits(stateAfter(newest), now);
  if (chain.some((edit) => fits(known, stateBefore(edit)))) {
    return isReached ? { where: 'nowhere' } : { where: 'on top', of: newest };
  }
  // An undo is of something that stands below: nothing can be put in between.
  const isPlain = chain.every(({ of, state }) => of === null && state === 'applied');
  return isReached && isPlain ? { where: 'below', edits: chain } : { where: 'on top', of: undefined };
}

/** What an edit found. */
export function stateBefore({ typeBefore: type, beforeHash: hash, mode }: EditSummary): EntryState {
  return { type, hash, mode };
}

/** What an edit left; a mode of null is one that nobody chose. */
export function stateAfter(edit: EditSummary): EntryState {
  const kept = edit.beforeHash !== null && edit.typeBefore === edit.typeAfter ? edit.mode : null;
  return { type: edit.typeAfter, hash: edit.afterHash, mode: edit.modeAfter ?? kept };
}

export function fits(a: EntryState, b: EntryState): boolean {
  if (a.hash === null || b.hash === null) return a.hash === b.hash;
  return a.hash === b.hash && a.type === b.type && (a.mode === null || b.mode === null || a.mode === b.mode);
}

/** The newest edits each of which found what the one before it left. */
function lastChain(edits: readonly EditSummary[]): EditSummary[] {
  const broken = edits.findLastIndex((edit, index) => {
    const before = edits[index - 1];
    return before !== undefined && !fits(stateAfter(before), stateBefore(edit));
  });
  return edits.slice(Math.max(broken, 0));
}
