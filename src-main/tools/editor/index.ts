import path from 'node:path';
import { CausewayError, nearestNames, type JsonObject, type ToolResult } from '../../../src-shared/index.ts';
import type { History } from '../../history/index.ts';
import type { Operator } from '../../operator/index.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { createFile } from './create.ts';
import { editorDefinition } from './definition.ts';
import { applyPatch, type EditorParts } from './edit.ts';
import { parseCommand, type EditorCommand } from './input.ts';
import { planInsertion } from './insertion.ts';
import { planReplacement } from './replacement.ts';
import { createSeenFiles } from './seen.ts';
import { readTextFile, type TextFile } from './text-file.ts';
import { undoEdit } from './undo.ts';
import { viewFile } from './view-file.ts';
import { viewFolder } from './view-folder.ts';

/** What the editor is made of. */
export interface EditorTool {
  history: History;
  /** The operator that a call may edit with; by default the session's. @throws CausewayError when there is none. */
  confine?: (session: Operator, approvedOutside?: string) => Promise<Operator>;
}

/**
 * The editor `str_replace_editor`: works on bytes through an operator, and writes through the history only, with that operator's
 * files. Writes outside the workspace are for the gateway and the operator to allow; they are not refused here.
 */
export function createEditorTool({ history, confine = (session) => Promise.resolve(session) }: EditorTool): Tool {
  const parts: EditorParts = { history, seen: createSeenFiles() };
  return {
    ...editorDefinition,
    async execute(input: JsonObject, given: ToolContext): Promise<ToolResult> {
      const command = parseCommand(input);
      const context = { ...given, operator: await confine(given.operator, given.approvedOutside) };
      const { real, absolute } = await context.operator.locate(command.path);
      if (command.command === 'create') refuseFolderName(command.path, real);
      return run(parts, context, command, { file: real, entry: absolute });
    },
  };
}

async function run(
  parts: EditorParts,
  context: ToolContext,
  command: EditorCommand,
  { file, entry }: { file: string; entry: string },
): Promise<ToolResult> {
  switch (command.command) {
    case 'view':
      return view(parts, context, file, command.range);
    case 'create':
      return createFile(parts, context, { path: file, text: command.text, overwrite: command.overwrite });
    case 'str_replace': {
      const text = await readForEdit(parts, context, file);
      const patch = await planReplacement(text, command.oldText, command.newText);
      return applyPatch(parts, context, text, patch, 'Replaced');
    }
    case 'insert': {
      const text = await readForEdit(parts, context, file);
      return applyPatch(parts, context, text, planInsertion(text, command.text, command.line), 'Inserted');
    }
    case 'undo_edit':
      return undoEdit(parts, context, file, entry);
  }
}

/** @throws CausewayError `bad_input` for a name that only a folder can have. */
function refuseFolderName(given: string, file: string): void {
  const last = given.split(path.sep === '/' ? '/' : /[/\\]/).at(-1);
  if (last !== '' && last !== '.') return;
  throw new CausewayError('bad_input', `"${given}" names a folder, and create makes files.`, {
    hint: `For a file of that name give ${file}. Folders are made with the files in them.`,
  });
}

/** @throws CausewayError `conflict` when the file is not what the caller last saw. */
async function readForEdit({ seen }: EditorParts, context: ToolContext, file: string): Promise<TextFile> {
  const text = await readTextFile(context.operator.files, file);
  seen.check(context, file, text);
  return text;
}

async function view(
  { seen }: EditorParts,
  context: ToolContext,
  file: string,
  range: readonly [number, number] | undefined,
): Promise<ToolResult> {
  const stat = await context.operator.files.stat(file);
  if (stat === null) throw await notThere(context, file);
  if (stat.kind !== 'directory') return viewFile(seen, context, file, stat, range);
  if (range) {
    throw new CausewayError('bad_input', `${file} is a folder, so it has no lines for view_range.`, {
      hint: 'View it without view_range.',
    });
  }
  return viewFolder(context, file);
}

async function notThere({ operator }: ToolContext, file: string): Promise<CausewayError> {
  const folder = path.dirname(file);
  const entries = await operator.files.list(folder).catch(() => []);
  const nearest = nearestNames(
    path.basename(file),
    entries.map(({ name }) => name),
  );
  return new CausewayError('not_found', `There is nothing at ${file}.`, {
    hint:
      nearest.length > 0
        ? `The nearest names in ${folder} are ${nearest.map((name) => `"${name}"`).join(', ')}.`
        : 'Check the path, or view a folder to see what is there.',
  });
}
