import type { DiffRow } from './diff-rows.ts';
import { markRuns, type Range, type Run } from './runs.ts';
import { wordChanges } from './word-changes.ts';

/** How a character that leaves no ink is told to the style sheet, which draws a sign for it that is not copied. */
const LOOK_OF: Readonly<Record<string, string>> = { ' ': 'unseen space', '\t': 'unseen tab' };

const UNSEEN = /[\s\u200b-\u200d\u2060]/;
/** Of a longer line the end may have been cut off: how it ended is not known. In characters. */
const LONGEST = 1000;

/** A mark on characters of a line: where, and its look. */
interface Mark {
  readonly ranges: readonly Range[];
  readonly look: string;
}

/** What is to be marked in a line of a diff, whatever its colours. */
export interface LineMarks {
  readonly marks: readonly Mark[];
  /** The look of a sign for the end of the line, where the ends differ. */
  readonly end?: string;
}

/**
 * Where a line differs from the one whose place it took, and signs for characters that cannot be seen where those are the
 * difference.
 */
export function lineMarks(row: DiffRow, partner: DiffRow | undefined): LineMarks {
  if (!partner) return { marks: [] };
  const changes = row.kind === 'del' ? wordChanges(row.text, partner.text) : wordChanges(partner.text, row.text);
  const ranges = (row.kind === 'del' ? changes?.old : changes?.new) ?? [];
  const marks: Mark[] = [{ ranges, look: 'changed' }];
  if (changes?.unseen) for (const [look, places] of unseenIn(row.text, ranges)) marks.push({ ranges: places, look });
  const end = lineEnd(row, partner);
  return end === undefined ? { marks } : { marks, end };
}

/** A line as runs: its colours, where it has some, with its marks. */
export function lineRuns(row: DiffRow, { marks, end }: LineMarks, colours?: readonly Run[]): readonly Run[] {
  let runs = colours ?? [{ text: row.text, looks: [] }];
  for (const { ranges, look } of marks) if (ranges.length > 0) runs = markRuns(runs, ranges, look);
  return end === undefined ? runs : [...runs, { text: '', looks: ['changed', end] }];
}

/** The end of a line, where that is what differs: CR LF or LF, or the end of the file without one. */
function lineEnd(row: DiffRow, partner: DiffRow): string | undefined {
  if (row.text.length > LONGEST || partner.text.length > LONGEST) return undefined;
  if (row.carriageReturn !== partner.carriageReturn) return row.carriageReturn ? 'unseen crlf' : 'unseen lf';
  return row.text === partner.text ? 'unseen lf' : undefined;
}

/** Where the characters without ink stand within `ranges`, by their look. */
function unseenIn(text: string, ranges: readonly Range[]): Map<string, Range[]> {
  const found = new Map<string, Range[]>();
  for (const { from, to } of ranges) {
    for (let at = from; at < to; at += 1) {
      const character = text[at] ?? '';
      if (!UNSEEN.test(character)) continue;
      const look = LOOK_OF[character] ?? 'unseen other';
      found.set(look, [...(found.get(look) ?? []), { from: at, to: at + 1 }]);
    }
  }
  return found;
}
