import type { EditView } from '../../src-shared/index.ts';

/** Edits that belong together, never none. */
export type EditGroup = readonly [EditView, ...EditView[]];

/** An undo of many files is recorded file by file: so many milliseconds apart two still count as one act. */
const ONE_ACT_MS = 2000;

/** Edits of the same call, or of the same undo or redo, that follow each other go together. The order stays. */
export function groupEdits(edits: readonly EditView[]): EditGroup[] {
  const groups: [EditView, ...EditView[]][] = [];
  for (const edit of edits) {
    const last = groups.at(-1);
    if (last && belong(last.at(-1) ?? last[0], edit)) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function belong(newer: EditView, older: EditView): boolean {
  if (newer.callId !== undefined || older.callId !== undefined) return newer.callId === older.callId;
  if (newer.of === undefined || older.of === undefined) return false;
  return newer.kind === older.kind && newer.sessionId === older.sessionId && Math.abs(newer.at - older.at) < ONE_ACT_MS;
}

/** What can be done with a whole group: undo as long as one of its edits stands, redo when all are undone. */
export function groupWay(edits: readonly EditView[]): 'undo' | 'redo' | undefined {
  const own = edits.filter(({ of }) => of === undefined);
  if (own.some(({ state }) => state === 'applied')) return 'undo';
  return own.some(({ state }) => state === 'undone') ? 'redo' : undefined;
}
