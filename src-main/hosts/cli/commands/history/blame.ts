import type { Blame } from '../../../../../src-shared/index.ts';
import { jsonOption, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import { firstLine, formatTime, table } from '../../format.ts';
import { describeCaller } from './describe.ts';
import { FROM_WHERE, realPath } from './paths.ts';

export const addBlame: AddCommand = (family, terminal) => {
  family
    .command('blame')
    .description('which edit wrote the lines of a file: each run of lines with edit, time, who, and how it begins')
    .argument('<file>', `a text file; ${FROM_WHERE}`)
    .addOption(jsonOption('runs of lines, edits and text'))
    .action((file: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const blame = await app.history.blame(realPath(app, file));
        if (options.json) terminal.answer(JSON.stringify(blame));
        else if (blame.spans.length > 0) terminal.answer(table(describeSpans(blame)));
        else terminal.say('The file is empty.');
      }),
    );
};

function describeSpans({ spans, edits, text }: Blame): string[][] {
  const lines = text.split('\n');
  const known = new Map(edits.map((edit) => [edit.id, edit]));
  let first = 1;
  return spans.map(({ lines: count, editId }) => {
    const range = count === 1 ? String(first) : `${first}-${first + count - 1}`;
    const begins = firstLine(lines[first - 1] ?? '', 60);
    first += count;
    const edit = editId === undefined ? undefined : known.get(editId);
    // Older than the history, or written past it.
    if (!edit) return [range, '-', '-', '-', begins];
    return [range, `edit ${edit.id}`, formatTime(edit.at), describeCaller(edit.caller), begins];
  });
}
