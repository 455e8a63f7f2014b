import { success, type EditView, type ToolResult } from '../../../src-shared/index.ts';
import type { Actor, History, Patch } from '../../history/index.ts';
import type { ToolContext } from '../contract.ts';
import { snippet } from './numbered.ts';
import type { TextFile } from './text-file.ts';

/** Who edits, as the history keeps it, and what they may write. */
export function actorOf({ sessionId, callId, caller, operator }: ToolContext): Actor {
  return { sessionId, callId, caller, files: operator.files };
}

/** Makes a planned change through the history, and shows the lines around it. `done` begins the answer: "Replaced". */
export async function applyPatch(
  history: History,
  context: ToolContext,
  file: TextFile,
  patch: Patch,
  done: string,
): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { path, bytes: before } = file;
  const around = await snippet(file, patch);
  const edit = await history.apply({ path, before, after: { ...patch, line: around.line }, actor: actorOf(context) });
  const text = `${done} at line ${around.line} of ${path} (${tally(edit)}). The lines around it now:\n${around.text}`;
  return success(text, { structuredContent: changeFacts(edit, around.line) });
}

/** What programs get to know of a change. `line` is where it begins in the file as it is now. */
export function changeFacts(
  edit: EditView,
  line: number,
): { path: string; editId: number } & Record<string, string | number> {
  return { path: edit.path, editId: edit.id, added: edit.added, removed: edit.removed, line };
}

/** An edit in a few words: "edit 12, +3 -1 lines". */
export function tally({ id, added, removed }: EditView): string {
  return `edit ${id}, +${added} -${removed} lines`;
}
