import type { EditView } from '../../src-shared/index.ts';

/** Edits that belong together, never none. */
export type EditGroup = readonly [EditView, ...EditView[]];

/** Edits of the same call that follow each other go together; every other edit stands alone. The order stays. */
export function groupEdits(edits: readonly EditView[]): EditGroup[] {
  const groups: [EditView, ...EditView[]][] = [];
  for (const edit of edits) {
    const last = groups.at(-1);
    if (last && edit.callId !== undefined && last[0].callId === edit.callId) last.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

/** What can be done with a whole group: undo as long as one of its edits stands, redo when all are undone. */
export function groupWay(edits: readonly EditView[]): 'undo' | 'redo' | undefined {
  const own = edits.filter(({ of }) => of === undefined);
  if (own.some(({ state }) => state === 'applied')) return 'undo';
  return own.some(({ state }) => state === 'undone') ? 'redo' : undefined;
}
