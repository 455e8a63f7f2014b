import type { ToolDefinition } from '../../../src-shared/index.ts';

/** What models and people are told about the editor. */
export const editorDefinition: ToolDefinition = {
  name: 'str_replace_editor',
  title: 'File editor',
  description: `View, create and edit files. Every change is recorded and can be taken back, also after a restart.

Commands:
* view: shows a file with line numbers (as cat -n does), or a folder two levels deep (hidden and git-ignored entries are left out and counted). Images are shown as images, PDF documents as documents. With view_range [first, last] only these lines of a file; -1 as last means the end, a negative first counts from the end ([-50, -1]: the last 50 lines).
* create: makes a new file from file_text, in UTF-8 and exactly as given, with its parent folders. An existing file is refused unless overwrite is true; it keeps its encoding and byte order mark then (where that can not be, it becomes UTF-8 and the answer says so).
* str_replace: replaces old_str by new_str. old_str must occur in the file exactly once: it has to match every character, tabs and spaces too, so copy it from a view without the line numbers and include enough lines to make it unique. Line ends need no care: \\n matches the file's own. new_str "" deletes the text.
* insert: puts insert_text (or new_str) after line insert_line as lines of its own; 0 puts it at the top.
* undo_edit: takes back the newest edit of the file, which may be what a command did to it. Repeat it to go further back.

Every change answers with the numbered lines around it: check them. What was not edited stays as it is, byte for byte (tabs, line ends, encoding). A file that changed on disk since you last saw it is not written: you are shown what changed, and can send the edit again. The path is absolute, or relative to the workspace.`,
  inputSchema: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        enum: ['view', 'create', 'str_replace', 'insert', 'undo_edit'],
        description: 'What to do.',
      },
      path: { type: 'string', description: 'The file or folder: absolute, or relative to the workspace.' },
      file_text: { type: 'string', description: 'create: the whole text of the file. May be "".' },
      old_str: { type: 'string', description: 'str_replace: the text to replace; it must occur exactly once.' },
      new_str: { type: 'string', description: 'str_replace: the text to put in its place; "" deletes it.' },
      insert_text: { type: 'string', description: 'insert: the lines to put in. new_str is accepted instead.' },
      insert_line: {
        type: 'integer',
        minimum: 0,
        description: 'insert: the line after which to insert; 0 is the top.',
      },
      view_range: {
        type: 'array',
        items: { type: 'integer' },
        minItems: 2,
        maxItems: 2,
        description: 'view: the first and last line to show, counted from 1, for example [11, 40] or [120, -1].',
      },
      overwrite: { type: 'boolean', description: 'create: replace a file that is already there.' },
    },
    required: ['command', 'path'],
    additionalProperties: false,
  },
  annotations: {
    title: 'File editor',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  origin: { kind: 'builtin' },
};
