import { CausewayError, success, type EditView, type ToolResult } from '../../../src-shared/index.ts';
import type { Actor, History, Patch } from '../../history/index.ts';
import type { ToolContext } from '../contract.ts';
import { snippet } from './numbered.ts';
import { changedMeanwhile, KEPT_BYTES, type SeenFiles } from './seen.ts';
import type { TextFile } from './text-file.ts';

/** What every command that edits works with. */
export interface EditorParts {
  history: History;
  seen: SeenFiles;
}

/** Who edits, as the history keeps it, and what they may write. */
export function actorOf({ sessionId, callId, caller, operator }: ToolContext): Actor {
  return { sessionId, callId, caller, tool: 'str_replace_editor', files: operator.files };
}

/** Makes a planned change through the history, and shows the lines around it. `done` begins the answer: "Replaced". */
export async function applyPatch(
  parts: EditorParts,
  context: ToolContext,
  file: TextFile,
  patch: Patch,
  done: string,
): Promise<ToolResult> {
  context.signal.throwIfAborted();
  const { path, bytes: before } = file;
  const around = await snippet(file, patch);
  const edit = await writeEdit(parts, context, { path, before, after: { ...patch, line: around.line } });
  const text = `${done} at line ${around.line} of ${path} (${tally(edit)}). The lines around it now:\n${around.text}`;
  return success(text, { structuredContent: changeFacts(edit, around.line) });
}

/**
 * Writes through the history; the caller has seen the result then.
 * @throws CausewayError `conflict`, with what changed, when somebody else wrote the file since `before` was read.
 */
export async function writeEdit(
  { history, seen }: EditorParts,
  context: ToolContext,
  change: { path: string; before: Uint8Array | null; after: Uint8Array | Patch },
): Promise<EditView> {
  const { path, before, after } = change;
  const { files } = context.operator;
  try {
    const edit = await history.apply({ ...change, actor: actorOf(context) });
    const stat = await files.stat(path);
    if (stat) seen.note(context, path, { stamp: stat.stamp, bytes: wholeAfter(before, after) });
    return edit;
  } catch (error) {
    if (!before || !(error instanceof CausewayError) || error.code !== 'conflict') throw error;
    const stat = await files.stat(path);
    if (stat?.kind !== 'file') throw error;
    const now = await files.read(path);
    const conflict = changedMeanwhile(path, before, now);
    if (!conflict) throw error;
    seen.note(context, path, { stamp: stat.stamp, bytes: now });
    throw conflict;
  }
}

/** The bytes of a file after an edit, unless they are too many to be kept. */
function wholeAfter(before: Uint8Array | null, after: Uint8Array | Patch): Uint8Array | undefined {
  if (after instanceof Uint8Array) return after;
  const { offset, length, bytes } = after;
  if (!before || before.length - length + bytes.length > KEPT_BYTES) return undefined;
  return Buffer.concat([before.subarray(0, offset), bytes, before.subarray(offset + length)]);
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
