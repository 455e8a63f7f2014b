import { Option } from 'commander';
import { readFileSync } from 'node:fs';
import { CausewayError, type ConflictChoice } from '../../../../../src-shared/index.ts';
import type { App } from '../../../../app.ts';
import { BadUsage, jsonOption, wholeNumber, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import type { CliTerminal } from '../../terminal.ts';
import { actorFor } from './actor.ts';
import { describePath } from './describe.ts';
import { hasMarks, mergedText } from './merged.ts';
import { originalOf } from './target.ts';

interface SettleOptions extends CommonOptions {
  use?: 'before' | 'merged';
  textFile?: string;
}

export const addSettle: AddCommand = (family, terminal) => {
  family
    .command('settle')
    .description('take such an edit back nevertheless; what was there is kept, as an edit')
    .argument('<edit>', 'its number', wholeNumber('An edit'))
    .addOption(
      new Option('--use <what>', 'the file as it was before the edit, or the merged text').choices([
        'before',
        'merged',
      ]),
    )
    .option('--text-file <file>', 'the text of this file')
    .addOption(jsonOption('the edit that took it back'))
    .action((id: number, options: SettleOptions) => settle(id, options, terminal));
};

async function settle(id: number, options: SettleOptions, terminal: CliTerminal): Promise<void> {
  if ((options.use === undefined) === (options.textFile === undefined)) {
    throw new BadUsage('Say what the file shall hold: --use before, --use merged, or --text-file FILE.');
  }
  await withCore(options, terminal, async (app) => {
    const edit = app.history.show(originalOf(app, id, 'undo').id);
    const choice = await choiceOf(app, edit.id, options);
    const made = await app.history.settleConflict(edit.id, choice, actorFor(edit));
    terminal.answer(options.json ? JSON.stringify(made) : `Took back edit ${edit.id}: ${describePath(made)}`);
  });
}

async function choiceOf(app: App, id: number, { use, textFile }: SettleOptions): Promise<ConflictChoice> {
  if (use === 'before') return { use };
  if (textFile === undefined) return { use: 'text', text: mergedText(await app.history.conflict(id)) };
  const text = readText(textFile);
  if (!hasMarks(text, id)) return { use: 'text', text };
  throw new CausewayError('bad_input', `There are still marks of the merge in ${textFile}.`, {
    hint: 'Decide what shall stand between them, and take the marks out.',
  });
}

/** Exactly what is in the file. @throws CausewayError when it can't be read or is not UTF-8. */
function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (cause) {
    throw new CausewayError('bad_input', `The file ${file} could not be read as text in UTF-8.`, {
      hint: 'Name another one with --text-file.',
      cause,
    });
  }
}
