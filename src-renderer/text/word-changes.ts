import { diffWordsWithSpace } from 'diff';
import type { Range } from './runs.ts';

/** Two lines that took each other's place, by the characters in which they differ. */
export interface WordChanges {
  readonly old: readonly Range[];
  readonly new: readonly Range[];
  /** They differ in nothing that can be seen. */
  readonly unseen: boolean;
}

/** Longer lines are not compared by words, in characters. */
const LONGEST = 600;
/** Lines of which a larger part differs are simply other lines. */
const MOST = 0.6;
/** White space of every kind, and characters without any width. */
const UNSEEN = /[\s\u200b-\u200d\u2060]+/g;

/** In which words two lines differ; undefined where that says nothing, or would take long. */
export function wordChanges(oldText: string, newText: string): WordChanges | undefined {
  if (oldText.length > LONGEST || newText.length > LONGEST) return undefined;
  const changes = { old: [] as Range[], new: [] as Range[] };
  let oldAt = 0;
  let newAt = 0;
  for (const { value, added, removed } of diffWordsWithSpace(oldText, newText)) {
    if (removed) changes.old.push({ from: oldAt, to: oldAt + value.length });
    if (added) changes.new.push({ from: newAt, to: newAt + value.length });
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
  }
  const unseen = oldText.replace(UNSEEN, '') === newText.replace(UNSEEN, '');
  const differing = sum(changes.old) + sum(changes.new);
  if (!unseen && differing > MOST * (oldText.length + newText.length)) return undefined;
  return { ...changes, unseen };
}

function sum(ranges: readonly Range[]): number {
  return ranges.reduce((total, { from, to }) => total + to - from, 0);
}
