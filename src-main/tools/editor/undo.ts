import { CausewayError, success, type Caller, type ToolResult } from '../../../src-shared/index.ts';
import type { Scope } from '../../history/index.ts';
import { detectEncoding, lineEnd } from '../../platform/index.ts';
import type { ToolContext } from '../contract.ts';
import { actorOf, changeFacts, tally, type EditorParts } from './edit.ts';
import { snippet } from './numbered.ts';
import type { SeenFiles } from './seen.ts';

/** Takes back the newest edit of a file. An external app reaches its own edits only. */
export async function undoEdit(
  { history, seen }: EditorParts,
  context: ToolContext,
  path: string,
): Promise<ToolResult> {
  const newest = history.newestUndoable(path, scopeOf(context.caller));
  if (!newest) {
    const whose = context.caller.kind === 'app' ? 'by this app ' : '';
    throw new CausewayError('not_found', `There is no edit ${whose}of ${path} that could be taken back.`, {
      hint: 'In the history is what this editor, the shell and Python changed in the workspace.',
    });
  }
  context.signal.throwIfAborted();
  const edit = await history.undo(newest.id, actorOf(context));
  const line = history.show(edit.id).hunks[0]?.newStart ?? 1;
  const opening = `Took back edit ${newest.id} of ${path} (${tally(edit)}).`;
  return success(`${opening} ${await describeState(seen, context, path, line)}`, {
    structuredContent: changeFacts(edit, line),
  });
}

function scopeOf(caller: Caller): Scope {
  return caller.kind === 'app' ? { appId: caller.id } : { all: true };
}

async function describeState(seen: SeenFiles, context: ToolContext, path: string, line: number): Promise<string> {
  const { files } = context.operator;
  const stat = await files.stat(path);
  if (stat === null) {
    seen.forget(context, path);
    return 'The file is gone again, as it was before.';
  }
  const bytes = await files.read(path);
  seen.note(context, path, { stamp: stat.stamp, bytes });
  const encoding = detectEncoding(bytes);
  if (encoding === undefined || bytes.length === 0) return 'The file is as it was before.';
  const offset = line > 1 ? Math.min(lineEnd(bytes, encoding, 0, line - 2), bytes.length) : 0;
  const around = await snippet({ bytes, encoding }, { offset, length: 0, bytes: new Uint8Array(0) });
  return `The lines around it now:\n${around.text}`;
}
