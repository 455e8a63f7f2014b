import type { CausewayError, EditConflict } from '../../../../../src-shared/index.ts';
import { jsonOption, wholeNumber, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import { writeNew } from '../../write-new.ts';
import { counted, describeHunks } from './describe.ts';
import { cantMerge } from './merged.ts';

interface ConflictOptions extends CommonOptions {
  out?: string;
}

export const addConflict: AddCommand = (family, terminal) => {
  family
    .command('conflict')
    .description('for an edit that undo leaves because its file has changed since: what there is to choose from')
    .argument('<edit>', 'its number', wholeNumber('An edit'))
    .option('--out <file>', 'write the merged text to a new file, to be edited and given to "history settle"')
    .addOption(jsonOption('texts and differences'))
    .action((id: number, options: ConflictOptions) =>
      withCore(options, terminal, async (app) => {
        const conflict = await app.history.conflict(id);
        if (options.out !== undefined) {
          if (!conflict.merged) throw cantMerge(conflict);
          writeNew(options.out, conflict.merged.text);
          terminal.say(`Wrote the merged text to ${options.out}.`);
        }
        if (options.json) terminal.answer(JSON.stringify(conflict));
        else if (options.out === undefined) terminal.answer(describeConflict(conflict));
      }),
    );
};

function describeConflict(conflict: EditConflict): string {
  const { editId, path, merged } = conflict;
  const settle = `causeway history settle ${editId} --use`;
  return [
    `Edit ${editId} of ${path}`,
    ...choice(`As it was before the edit (${settle} before):`, describeBefore(conflict)),
    ...choice(
      !merged
        ? 'Merged:'
        : merged.conflicts === 0
          ? `Merged, which keeps what was changed since (${settle} merged):`
          : `Merged, with ${counted(merged.conflicts, 'place')} where both changed the same lines:`,
      merged ? differences(conflict.toMerged) : [inBrackets(cantMerge(conflict))],
    ),
    ...(conflict.cut ? ['', '(cut: --json gives the texts whole)'] : []),
  ].join('\n');
}

function choice(title: string, lines: readonly string[]): string[] {
  return ['', title, ...lines];
}

function describeBefore({ before, current, toBefore }: EditConflict): string[] {
  if (before === undefined) return ['(no text that could be shown)'];
  if (before === null) return ['(there was no file: it would be deleted)'];
  if (current === null) return ['(there is no file now: it would be created)', ...describeHunks(toBefore)];
  return differences(toBefore);
}

function differences(hunks: EditConflict['toBefore']): string[] {
  return hunks.length > 0 ? describeHunks(hunks) : ['(no difference to the file as it is)'];
}

function inBrackets({ message }: CausewayError): string {
  return `(${message})`;
}
