import path from 'node:path';
import { CausewayError, success, type Caller, type EditView, type ToolResult } from '../../../src-shared/index.ts';
import type { Scope } from '../../history/index.ts';
import { detectEncoding, lineEnd } from '../../platform/index.ts';
import type { ToolContext } from '../contract.ts';
import { actorOf, changeFacts, tally, type EditorParts } from './edit.ts';
import { snippet } from './numbered.ts';
import type { SeenFiles } from './seen.ts';

/**
 * Takes back the newest edit of a file. An external app reaches its own edits only.
 * @param file what the path leads to, as all commands take it.
 * @param entry the path itself: a symlink has edits of its own, which count when what it leads to has none.
 */
export async function undoEdit(
  { history, seen }: EditorParts,
  context: ToolContext,
  file: string,
  entry: string,
): Promise<ToolResult> {
  const newest = await findNewest({ history }, context, file, entry);
  if (!newest) throw nothingToUndo(context.caller, file);
  context.signal.throwIfAborted();
  const edit = await history.undo(newest.id, actorOf(context));
  const line = history.show(edit.id).hunks[0]?.newStart ?? 1;
  const opening = `Took back edit ${newest.id} of ${newest.path} (${tally(edit)}).`;
  return success(`${opening} ${await describeState(seen, context, newest.path, line)}`, {
    structuredContent: changeFacts(edit, line),
  });
}

async function findNewest(
  { history }: Pick<EditorParts, 'history'>,
  { operator, caller }: ToolContext,
  file: string,
  entry: string,
): Promise<EditView | undefined> {
  const scope: Scope = caller.kind === 'app' ? { appId: caller.id } : { all: true };
  const ofFile = history.newestUndoable(file, scope);
  if (ofFile) return ofFile;
  const folder = await operator.locate(path.dirname(entry));
  return history.newestUndoable(path.join(folder.real, path.basename(entry)), scope);
}

function nothingToUndo({ kind }: Caller, file: string): CausewayError {
  const isApp = kind === 'app';
  return new CausewayError(
    'not_found',
    `There is no edit ${isApp ? 'by this app ' : ''}of ${file} that could be taken back.`,
    {
      hint: isApp
        ? 'What others changed is theirs to take back.'
        : 'The history holds what this editor changed, and what commands changed in the workspace.',
    },
  );
}

async function describeState(seen: SeenFiles, context: ToolContext, file: string, line: number): Promise<string> {
  const { files } = context.operator;
  const stat = await files.stat(file, { follow: false });
  if (stat === null) {
    seen.forget(context, file);
    return 'The file is gone again, as it was before.';
  }
  if (stat.kind !== 'file') return `There is a ${stat.kind === 'directory' ? 'folder' : stat.kind} as before.`;
  const bytes = await files.read(file);
  seen.note(context, file, { stamp: stat.stamp, bytes });
  const encoding = detectEncoding(bytes);
  if (encoding === undefined || bytes.length === 0) return 'The file is as it was before.';
  const offset = line > 1 ? Math.min(lineEnd(bytes, encoding, 0, line - 2), bytes.length) : 0;
  const around = await snippet({ bytes, encoding }, { offset, length: 0, bytes: new Uint8Array(0) });
  return `The lines around it now:\n${around.text}`;
}
