import { z } from 'zod';
import { CausewayError, type JsonObject } from '../../../src-shared/index.ts';

const editorInput = z.object({
  command: z.enum(['view', 'create', 'str_replace', 'insert', 'undo_edit']),
  path: z.string(),
  file_text: z.string().optional(),
  old_str: z.string().optional(),
  new_str: z.string().optional(),
  insert_text: z.string().optional(),
  insert_line: z.number().int().optional(),
  view_range: z.tuple([z.number().int(), z.number().int()]).optional(),
  overwrite: z.boolean().optional(),
});
type EditorInput = z.infer<typeof editorInput>;

/** One command with exactly what it needs. An empty text is a value; only an absent one is missing. */
export type EditorCommand =
  | { command: 'view'; path: string; range?: readonly [number, number] }
  | { command: 'create'; path: string; text: string; overwrite: boolean }
  | { command: 'str_replace'; path: string; oldText: string; newText: string }
  | { command: 'insert'; path: string; text: string; line: number }
  | { command: 'undo_edit'; path: string };

/** @throws CausewayError `bad_input` naming the field that is missing or wrong. */
export function parseCommand(input: JsonObject): EditorCommand {
  const parsed = editorInput.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new CausewayError('bad_input', `"${issue?.path.join('.') ?? 'input'}" is wrong: ${issue?.message ?? ''}.`);
  }
  const { command, path, ...fields } = parsed.data;
  for (const field of ['file_text', 'new_str', 'insert_text'] as const) refuseHalves(field, fields[field]);
  switch (command) {
    case 'view':
      return { command, path, ...(fields.view_range && { range: fields.view_range }) };
    case 'create':
      return {
        command,
        path,
        text: need(fields, 'file_text', 'create', 'An empty file has file_text "".'),
        overwrite: fields.overwrite ?? false,
      };
    case 'str_replace':
      return { command, path, ...replacement(fields) };
    case 'insert':
      return {
        command,
        path,
        text: fields.insert_text ?? need(fields, 'new_str', 'insert', 'Give the lines as insert_text.'),
        line: need(fields, 'insert_line', 'insert', 'Give the line after which to insert; 0 is the top.'),
      };
    case 'undo_edit':
      return { command, path };
  }
}

type Fields = Omit<EditorInput, 'command' | 'path'>;

function replacement(fields: Fields): { oldText: string; newText: string } {
  const oldText = need(fields, 'old_str', 'str_replace', 'Give the text to replace.');
  const newText = need(fields, 'new_str', 'str_replace', 'To delete the text give new_str "".');
  if (oldText === '') {
    throw new CausewayError('bad_input', 'old_str is empty, and an empty text occurs everywhere.', {
      hint: 'Use insert to add lines, or create for a new file.',
    });
  }
  if (oldText === newText) {
    throw new CausewayError('bad_input', 'old_str and new_str are the same, so nothing would change.', {
      hint: 'Give the text as it should become in new_str.',
    });
  }
  return { oldText, newText };
}

/** Half of a character can't be written in UTF-8: it would become U+FFFD without a word. */
function refuseHalves(field: string, text: string | undefined): void {
  if (text === undefined || text.isWellFormed()) return;
  const at = text.search(/\p{Surrogate}/u);
  const line = text.slice(0, at).split('\n').length;
  const half = `U+${text.charCodeAt(at).toString(16).toUpperCase()}`;
  throw new CausewayError(
    'bad_input',
    `"${field}" holds half of a character (${half}) at position ${at}, in its line ${line}, which no file can hold.`,
    {
      hint: 'Nothing was written. Send the whole character: an emoji, for example, is two such halves, one right after the other.',
    },
  );
}

function need<K extends keyof Fields>(fields: Fields, field: K, command: string, hint: string): NonNullable<Fields[K]> {
  const value = fields[field];
  if (value === undefined || value === null) {
    throw new CausewayError('bad_input', `"${field}" is missing: ${command} needs it.`, { hint });
  }
  return value;
}
