import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { CausewayError, type EditDetail, type EditView } from '../../../../src-shared/index.ts';
import type { App } from '../../../app.ts';
import { isInside } from '../../../platform/index.ts';
import { jsonOption, wholeNumber, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { formatTime, table } from '../format.ts';
import type { CliTerminal } from '../terminal.ts';

/** How far back an undo without a number looks for one. */
const SEARCHED_EDITS = 1000;
const SIGNS = { same: ' ', add: '+', del: '-' } as const;

interface ListOptions extends CommonOptions {
  session?: string;
  path?: string;
  limit: number;
}

export const addHistory: AddCommand = (program, terminal) => {
  const family = program.command('history').description('every edit of a file, and taking it back');
  family
    .command('list')
    .description('edits, the newest first')
    .option('--session <id>', 'only those of one session')
    .option('--path <file>', 'only those of one file')
    .option('--limit <number>', 'how many', wholeNumber('The limit'), 50)
    .addOption(jsonOption('the list'))
    .action((options: ListOptions) => listEdits(options, terminal));
  family
    .command('show')
    .description('one edit with its difference')
    .argument('<edit>', 'its number', wholeNumber('An edit'))
    .addOption(jsonOption('the edit'))
    .action((id: number, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const edit = app.history.show(id);
        terminal.answer(options.json ? JSON.stringify(edit) : describeDetail(edit));
      }),
    );
  family
    .command('undo')
    .description('take an edit back; it can be done again')
    .argument(
      '[edit]',
      'its number (default: the newest in the workspace that can be taken back)',
      wholeNumber('An edit'),
    )
    .option('--path <file>', 'the newest of this file')
    .addOption(jsonOption('the edit that took it back'))
    .action((id: number | undefined, options: CommonOptions & { path?: string }) =>
      withCore(options, terminal, async (app) => {
        const edit = id === undefined ? newest(app, options.path) : app.history.show(id);
        announce(await app.history.undo(edit.id, actorFor(edit)), `Took back edit ${edit.id}`, options, terminal);
      }),
    );
  family
    .command('redo')
    .description('do an edit again that was taken back')
    .argument('<edit>', 'its number', wholeNumber('An edit'))
    .addOption(jsonOption('the edit that did it again'))
    .action((id: number, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const edit = app.history.show(id);
        announce(await app.history.redo(id, actorFor(edit)), `Did edit ${id} again`, options, terminal);
      }),
    );
};

function listEdits(options: ListOptions, terminal: CliTerminal): Promise<void> {
  return withCore(options, terminal, async (app) => {
    const edits = app.history.list({
      limit: options.limit,
      ...(options.session !== undefined && { sessionId: options.session }),
      ...(options.path !== undefined && { path: realPath(options.path) }),
    });
    if (options.json) terminal.answer(JSON.stringify(edits));
    else if (edits.length > 0) terminal.answer(table(edits.map(describe)));
    else terminal.say('No edits are recorded.');
  });
}

/** @throws CausewayError `not_found` when nothing can be taken back. */
function newest(app: App, file: string | undefined): EditView {
  const target = file === undefined ? newestPath(app) : realPath(file);
  const edit = target === undefined ? undefined : app.history.newestUndoable(target, { all: true });
  if (edit) return edit;
  throw new CausewayError('not_found', `There is no edit of ${target ?? app.workspace} that could be taken back.`, {
    hint: 'See "causeway history list".',
  });
}

/** The file that was edited last, in this workspace: nobody expects an undo to reach into another folder. */
function newestPath(app: App): string | undefined {
  return app.history
    .list({ limit: SEARCHED_EDITS })
    .find(
      ({ state, kind, path: file }) =>
        state === 'applied' && kind !== 'undo' && kind !== 'redo' && isInside(file, app.workspace),
    )?.path;
}

/** The history knows files by their path without symlinks; a file that is gone has its folder's. */
function realPath(file: string): string {
  const absolute = path.resolve(file);
  try {
    return realpathSync(absolute);
  } catch {
    const folder = path.dirname(absolute);
    return existsSync(folder) ? path.join(realpathSync(folder), path.basename(absolute)) : absolute;
  }
}

/** An undo by a person stands in the session whose edit it takes back. */
function actorFor(edit: EditView): { sessionId: string; caller: { kind: 'person' } } {
  return { sessionId: edit.sessionId, caller: { kind: 'person' } };
}

function announce(edit: EditView, what: string, options: CommonOptions, terminal: CliTerminal): void {
  terminal.answer(options.json ? JSON.stringify(edit) : `${what}: ${edit.path}`);
}

function describe(edit: EditView): string[] {
  const of = edit.of === undefined ? '' : ` of ${edit.of}`;
  return [
    String(edit.id),
    formatTime(edit.at),
    edit.kind + of,
    edit.state,
    `+${edit.added} -${edit.removed}`,
    edit.path,
  ];
}

function describeDetail(edit: EditDetail): string {
  const lines = edit.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart} +${hunk.newStart} @@`,
    ...hunk.lines.map((line) => SIGNS[line.kind] + line.text),
  ]);
  const note = edit.binary ? ['(binary, or too large to compare)'] : edit.cut ? ['(cut)'] : [];
  return [describe(edit).join('  '), ...lines, ...note].join('\n');
}
