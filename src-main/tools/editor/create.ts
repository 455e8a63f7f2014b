import { CausewayError, success, type ToolResult } from '../../../src-shared/index.ts';
import { decodeText, detectEncoding, encodeText, encodingName, markLength } from '../../platform/index.ts';
import type { ToolContext } from '../contract.ts';
import { changeFacts, tally, writeEdit, type EditorParts } from './edit.ts';

/**
 * Makes a file of UTF-8 text. An existing one is replaced only when `overwrite` says so, and keeps its encoding and its byte order
 * mark; its old bytes are in the history then.
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
  const { bytes: after, note } = encodeLike(before, text);
  if (before && after.equals(before)) {
    throw new CausewayError('bad_input', `${path} holds exactly this text already, so nothing would change.`);
  }
  context.signal.throwIfAborted();
  const edit = await writeEdit(parts, context, { path, before, after });
  return success(`${before ? 'Replaced the whole of' : 'Created'} ${path} (${tally(edit)})${note}.`, {
    structuredContent: changeFacts(edit, 1),
  });
}

/** The text in the encoding of the file before, where it can be; else in UTF-8. `note` is what there is to say of that. */
function encodeLike(before: Uint8Array | null, text: string): { bytes: Buffer; note: string } {
  const plain = { bytes: Buffer.from(text, 'utf8'), note: '' };
  const encoding = before ? detectEncoding(before) : undefined;
  if (!before || encoding === undefined) return plain;
  const mark = before.subarray(0, markLength(before, encoding));
  const body = mark.length > 0 ? text.replace(/^\uFEFF/, '') : text;
  const encoded = encodeText(body, encoding);
  const name = encodingName(encoding);
  if (!encoded) return { ...plain, note: `, in UTF-8 now: ${name}, in which it was, lacks characters of this text` };
  const bytes = Buffer.concat([mark, encoded]);
  if (bytes.equals(plain.bytes)) return plain;
  // A few words in an old encoding may be read as another one, by this editor too.
  if (!readsAs(bytes, decodeText(bytes, encoding))) {
    return { ...plain, note: `, in UTF-8 now: it was in ${name}, of which so short a text would not be known` };
  }
  return { bytes, note: `, in ${name}${mark.length > 0 ? ' with a byte order mark' : ''} as before` };
}

function readsAs(bytes: Uint8Array, text: string): boolean {
  const encoding = detectEncoding(bytes);
  return encoding !== undefined && decodeText(bytes, encoding) === text;
}
