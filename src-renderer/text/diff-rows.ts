import { withoutReordering, type DiffHunk } from '../../src-shared/index.ts';

/** One line of a shown diff; `gap` stands between hunks. */
export interface DiffRow {
  readonly kind: 'same' | 'add' | 'del' | 'gap';
  /** The line's number: in the old file for removed lines, else in the new one. */
  readonly number?: number;
  /** The line's number in the old file, where it is in both. */
  readonly oldNumber?: number;
  readonly text: string;
  /** The line ended in CR LF. */
  readonly carriageReturn?: boolean;
  /** Where the row stands among all rows. */
  readonly at: number;
  /** Which hunk it is in. */
  readonly hunk: number;
  /** Where the line of the other kind stands that took this one's place, or whose place it took. */
  readonly partner?: number;
}

/** Two rows beside each other: the old file at the left, the new one at the right. An unchanged line is at both. */
export interface RowPair {
  readonly left?: DiffRow;
  readonly right?: DiffRow;
}

/** Hunks as rows with line numbers. */
export function diffRows(hunks: readonly DiffHunk[]): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const [hunk, { oldStart, newStart, lines }] of hunks.entries()) {
    if (hunk > 0) rows.push({ kind: 'gap', text: '', at: rows.length, hunk });
    const start = rows.length;
    const partners = partnersOf(lines);
    let oldLine = oldStart;
    let newLine = newStart;
    for (const [index, { kind, text }] of lines.entries()) {
      const partner = partners.get(index);
      rows.push({
        kind,
        number: kind === 'del' ? oldLine : newLine,
        ...(kind === 'same' && { oldNumber: oldLine }),
        text: visibleText(text),
        ...(text.endsWith('\r') && { carriageReturn: true }),
        at: rows.length,
        hunk,
        ...(partner !== undefined && { partner: start + partner }),
      });
      if (kind !== 'add') oldLine += 1;
      if (kind !== 'del') newLine += 1;
    }
  }
  return rows;
}

/** Rows with the old file at the left and the new one at the right. */
export function rowPairs(rows: readonly DiffRow[]): RowPair[] {
  const pairs: RowPair[] = [];
  for (const row of rows) {
    const partner = row.partner === undefined ? undefined : rows[row.partner];
    if (row.kind === 'same' || row.kind === 'gap') pairs.push({ left: row, right: row });
    else if (row.kind === 'del') pairs.push(partner ? { left: row, right: partner } : { left: row });
    else if (!partner) pairs.push({ right: row });
  }
  return pairs;
}

/** A replacement as one hunk: for showing what an edit would do before it is done. */
export function replacementHunk(oldText: string, newText: string): DiffHunk {
  const lines = (text: string, kind: 'add' | 'del') =>
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => ({ kind, text: line }));
  return { oldStart: 1, newStart: 1, lines: [...lines(oldText, 'del'), ...lines(newText, 'add')] };
}

/** Removed lines directly followed by added ones are partners in order: the first of one kind with the first of the other. */
function partnersOf(lines: DiffHunk['lines']): Map<number, number> {
  const partners = new Map<number, number>();
  const runOf = (kind: 'add' | 'del', from: number): number => {
    let end = from;
    while (lines[end]?.kind === kind) end += 1;
    return end - from;
  };
  for (let index = 0; index < lines.length;) {
    const removed = runOf('del', index);
    const added = runOf('add', index + removed);
    for (let nth = 0; nth < Math.min(removed, added); nth += 1) {
      partners.set(index + nth, index + removed + nth);
      partners.set(index + removed + nth, index + nth);
    }
    index += Math.max(1, removed + added);
  }
  return partners;
}

/* The end of a CR LF is kept apart, and other control characters are shown by their pictures: a page would drop or change them. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f]/g;

function visibleText(text: string): string {
  const picture = (character: string): string => String.fromCodePoint(0x2400 + (character.codePointAt(0) ?? 0));
  return withoutReordering(text.replace(/\r$/, '').replace(CONTROL, picture));
}
