import { CausewayError, type EditView, type PlannedFile, type RevertKind } from '../../../../../src-shared/index.ts';
import type { App } from '../../../../app.ts';
import { BadUsage, jsonOption, wholeNumber, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import type { CliTerminal } from '../../terminal.ts';
import { actorFor } from './actor.ts';
import { describePath } from './describe.ts';
import { newest, undoNewest } from './newest.ts';
import { FROM_WHERE } from './paths.ts';
import { tellPlan, tellReport } from './report.ts';
import { checkTarget, findTarget, originalOf, type TargetOptions } from './target.ts';

interface RevertOptions extends CommonOptions, TargetOptions {
  dryRun?: true;
}

export const addRevert: AddCommand = (family, terminal) => {
  family
    .command('undo')
    .description('take edits back; they can be done again')
    .argument(
      '[edit]',
      'its number (default: the newest in the workspace that can be taken back)',
      wholeNumber('An edit'),
    )
    .option('--path <file>', `the newest of this file; ${FROM_WHERE}`)
    .option('--call <id>', 'all of one tool call')
    .option('--run <id>', 'all of one run of the agent')
    .option('--session <id>', 'all of one session; the beginning of its id is enough')
    .option('--since <edit>', 'with --session: back to how it was right after this edit', wholeNumber('An edit', 0))
    .option('--dry-run', 'only tell what would happen, file by file')
    .addOption(jsonOption('the edit that took it back, a report on many, or the plan'))
    .action((id: number | undefined, options: RevertOptions) => undo(id, options, terminal));
  family
    .command('redo')
    .description('do edits again that were taken back')
    .argument('[edit]', 'its number', wholeNumber('An edit'))
    .option('--call <id>', 'all of one tool call')
    .option('--run <id>', 'all of one run of the agent')
    .option('--dry-run', 'only tell what would happen, file by file')
    .addOption(jsonOption('the edit that did it again, a report on many, or the plan'))
    .action((id: number | undefined, options: RevertOptions) => redo(id, options, terminal));
};

async function undo(id: number | undefined, options: RevertOptions, terminal: CliTerminal): Promise<void> {
  checkTarget(id, options);
  await withCore(options, terminal, async (app) => {
    if (await revertMany(app, 'undo', options, terminal)) return;
    if (options.dryRun) return planOne(app, id ?? newest(app, options.path).id, 'undo', options, terminal);
    if (id !== undefined) return revertOne(app, id, 'undo', options, terminal);
    const { took, made } = await undoNewest(app, options.path, terminal.signal);
    announce(made, `Took back edit ${took.id}`, options, terminal);
  });
}

async function redo(id: number | undefined, options: RevertOptions, terminal: CliTerminal): Promise<void> {
  checkTarget(id, options);
  if (id === undefined && options.call === undefined && options.run === undefined) {
    throw new BadUsage('Say what is to be done again: the number of an edit, --call or --run.');
  }
  await withCore(options, terminal, async (app) => {
    if (id === undefined) await revertMany(app, 'redo', options, terminal);
    else if (options.dryRun) await planOne(app, id, 'redo', options, terminal);
    else await revertOne(app, id, 'redo', options, terminal);
  });
}

/** False when not many edits were named, but one or none. */
async function revertMany(app: App, kind: RevertKind, options: RevertOptions, terminal: CliTerminal): Promise<boolean> {
  const found = findTarget(app, options);
  if (!found) return false;
  const json = options.json === true;
  if (options.dryRun) tellPlan(await app.history.preview(found.target, kind), json, terminal);
  else tellReport(await app.history.revert(found.target, kind, actorFor(found)), json, terminal);
  return true;
}

async function revertOne(
  app: App,
  id: number,
  kind: RevertKind,
  options: RevertOptions,
  terminal: CliTerminal,
): Promise<void> {
  const edit = app.history.show(id);
  const made = await app.history[kind](id, actorFor(edit));
  announce(made, kind === 'undo' ? `Took back edit ${id}` : `Did edit ${id} again`, options, terminal);
}

async function planOne(
  app: App,
  id: number,
  kind: RevertKind,
  options: RevertOptions,
  terminal: CliTerminal,
): Promise<void> {
  const original = originalOf(app, id, kind);
  const plan: PlannedFile[] = await app.history.preview({ edits: [original.id] }, original.kind);
  if (plan.length === 0) throw outOfPlace(app.history.show(original.id), original.kind);
  tellPlan(plan, options.json === true, terminal);
}

function outOfPlace({ id, path, state }: EditView, kind: RevertKind): CausewayError {
  const what = kind === 'undo' ? 'taken back' : 'done again';
  return new CausewayError('conflict', `Edit ${id} of ${path} can't be ${what}: its state is "${state}".`);
}

function announce(edit: EditView, what: string, options: CommonOptions, terminal: CliTerminal): void {
  terminal.answer(options.json ? JSON.stringify(edit) : `${what}: ${describePath(edit)}`);
}
