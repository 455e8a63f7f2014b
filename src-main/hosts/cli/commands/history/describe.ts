import type { Caller, DiffHunk, EditView, EntryType, PlannedFile } from '../../../../../src-shared/index.ts';
import { formatTime } from '../../format.ts';

const SIGNS = { same: ' ', add: '+', del: '-' } as const;

/** An edit as cells of a table. */
export function describeEdit(edit: EditView): string[] {
  const of = edit.of === undefined ? '' : ` of ${edit.of}`;
  return [
    String(edit.id),
    formatTime(edit.at),
    edit.kind + of,
    edit.state,
    describeCaller(edit.caller),
    `+${edit.added} -${edit.removed}`,
    describePath(edit),
  ];
}

/** Who made an edit, in a word or two. */
export function describeCaller(caller: Caller): string {
  return caller.kind === 'app' ? caller.name : caller.kind;
}

/** A path that shows what is there: a folder ends with a slash. */
export function describePath({ path, entry }: { path: string; entry: EntryType }): string {
  if (entry === 'folder') return `${path}/`;
  return entry === 'symlink' ? `${path} (symlink)` : path;
}

/** A difference in the usual notation. */
export function describeHunks(hunks: readonly DiffHunk[]): string[] {
  return hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart} +${hunk.newStart} @@`,
    ...hunk.lines.map((line) => SIGNS[line.kind] + line.text),
  ]);
}

/** What would happen to a file, as cells of a table. */
export function describePlanned(file: PlannedFile): string[] {
  return [file.conflict === undefined ? file.will : 'leave', `edit ${file.editId}`, describePath(file)];
}

/** `1 file`, `2 files`. */
export function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
