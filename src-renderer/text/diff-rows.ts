import { withoutReordering, type DiffHunk } from '../../src-shared/index.ts';

/** One line of a shown diff; `gap` stands between hunks. */
export interface DiffRow {
  readonly kind: 'same' | 'add' | 'del' | 'gap';
  /** The line's number: in the old file for removed lines, else in the new one. */
  readonly number?: number;
  readonly text: string;
}

/** Hunks as rows with line numbers. */
export function diffRows(hunks: readonly DiffHunk[]): DiffRow[] {
  return hunks.flatMap((hunk, index) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    const rows = hunk.lines.map(({ kind, text }): DiffRow => {
      const row = { kind, number: kind === 'del' ? oldLine : newLine, text: withoutReordering(text) };
      if (kind !== 'add') oldLine += 1;
      if (kind !== 'del') newLine += 1;
      return row;
    });
    return index === 0 ? rows : [{ kind: 'gap', text: '' } satisfies DiffRow, ...rows];
  });
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
