import { CausewayError, success, type ToolResult } from '../../../src-shared/index.ts';
import { detectEncoding, markLength } from '../../platform/index.ts';
import type { ToolContext } from '../contract.ts';
import { changeFacts, tally, writeEdit, type EditorParts } from './edit.ts';

/** The byte order mark, as a character. */
const MARK = '\ufeff';

/** Who reads a file by its byte order mark shall go on to: it stays, though nobody sees it in a view. */
function keepsMark(before: Uint8Array | null, text: string): boolean {
  return (
    before !== null && detectEncoding(before) === 'utf8' && markLength(before, 'utf8') > 0 && !text.startsWith(MARK)
  );
}

/**
 * Makes a file of UTF-8 text. An existing one is replaced only when `overwrite` says so; its old bytes are in the history then.
 * @throws CausewayError `conflict` when something is there already, or is not what the caller last saw there.
 */
export async function createFile(
  parts: EditorParts,
  context: ToolContext,
  { path, text, overwrite }: { path: string; text: string; overwrite: boolean },
): Promise<ToolResult> {
  const { files } = context.operator;
  const stat = await files.stat(path);
  if (stat?.kind === 'directory')
    throw new CausewayError('conflict', `${path} is a folder.`, { hint: 'Choose another name.' });
  if (stat && !overwrite) {
    throw new CausewayError('conflict', `${path} exists already, so nothing was written.`, {
      hint: 'Change it with str_replace or insert, or give overwrite: true to replace all of it.',
    });
  }
  const before = stat ? await files.read(path) : null;
  if (stat && before) parts.seen.check(context, path, { stamp: stat.stamp, bytes: before });
  const after = Buffer.from(keepsMark(before, text) ? MARK + text : text, 'utf8');
  if (before && after.equals(before)) {
    throw new CausewayError('bad_input', `${path} holds exactly this text already, so nothing would change.`);
  }
  context.signal.throwIfAborted();
  const edit = await writeEdit(parts, context, { path, before, after });
  return success(`${before ? 'Replaced the whole of' : 'Created'} ${path} (${tally(edit)}).`, {
    structuredContent: changeFacts(edit, 1),
  });
}
