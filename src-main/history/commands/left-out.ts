import path from 'node:path';
import { plainName } from '../../platform/index.ts';

/** Why something can't be brought back: no copy can be made of it, or its name is no text. */
export type WhyLeftOut = 'large' | 'unreadable' | 'name' | 'room';

const WORDS: Record<WhyLeftOut, string> = {
  large: 'too large',
  unreadable: 'may not be read',
  name: 'its name is not valid UTF-8',
  room: 'no room for a copy in the data folder',
};
/** Files of one kind that are named; the others are counted. */
const NAMED = 5;

/** Says what undo does not cover, kind by kind. Undefined when there is nothing to say. */
export function describeLeftOut(leftOut: ReadonlyMap<string, WhyLeftOut>, root: string): string | undefined {
  const kinds = Map.groupBy(leftOut.keys(), (file) => leftOut.get(file));
  const parts = [...kinds].map(([why, files]) => `${listed(files, root)} (${why ? WORDS[why] : ''})`);
  return parts.length > 0 ? `Not covered by undo: ${parts.join('; ')}.` : undefined;
}

/** Says what a command changed without a way back. Undefined when there is nothing to say. */
export function describeLost(files: readonly string[], root: string): string | undefined {
  return files.length > 0 ? `Changed, and it can not be undone: ${listed(files, root)}.` : undefined;
}

function listed(files: readonly string[], root: string): string {
  const shown = files.slice(0, NAMED).map((file) => plainName(path.relative(root, file)) || '.');
  return files.length > NAMED ? `${shown.join(', ')} and ${files.length - NAMED} more` : shown.join(', ');
}
