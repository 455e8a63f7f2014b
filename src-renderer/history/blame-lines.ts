import type { Blame, EditView } from '../../src-shared/index.ts';
import { diffRows, type DiffRow } from '../text/diff-rows.ts';
import { linesOf } from '../text/lines.ts';

/** A line of a file with the edit that wrote it, if one did. */
export interface BlameLine {
  readonly row: DiffRow;
  readonly edit?: EditView;
  /** The first line of a run by the same edit. */
  readonly first: boolean;
  /** How new the edit is among those of this file: 1 for the newest, towards 0 for the oldest. */
  readonly newness: number;
}

/** The lines of a file, each with who wrote it. */
export function blameLines({ text, spans, edits }: Blame): BlameLine[] {
  const byId = new Map(edits.map((edit) => [edit.id, edit]));
  const order = [...byId.keys()].sort((a, b) => a - b);
  const newness = new Map(order.map((id, index) => [id, (index + 1) / order.length]));
  const rows = diffRows([
    { oldStart: 1, newStart: 1, lines: linesOf(text).map((line) => ({ kind: 'same' as const, text: line })) },
  ]);
  const lines: BlameLine[] = [];
  for (const { lines: count, editId } of spans) {
    const edit = editId === undefined ? undefined : byId.get(editId);
    for (const [index, row] of rows.slice(lines.length, lines.length + count).entries()) {
      lines.push({ row, ...(edit && { edit }), first: index === 0, newness: edit ? (newness.get(edit.id) ?? 0) : 0 });
    }
  }
  return lines;
}
