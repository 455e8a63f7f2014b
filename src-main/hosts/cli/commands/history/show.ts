import type { EditDetail } from '../../../../../src-shared/index.ts';
import { jsonOption, wholeNumber, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import { describeEdit, describeHunks } from './describe.ts';

export const addShow: AddCommand = (family, terminal) => {
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
};

function describeDetail(edit: EditDetail): string {
  const note = edit.binary ? ['(binary, or too large to compare)'] : edit.cut ? ['(cut)'] : [];
  return [
    describeEdit(edit).join('  '),
    describeOrigin(edit),
    ...(edit.mode ? [`permissions ${octal(edit.mode.before)} -> ${octal(edit.mode.after)}`] : []),
    ...describeHunks(edit.hunks),
    ...note,
  ].join('\n');
}

/** What the filters and `undo` take. */
function describeOrigin({ tool, sessionId, callId, caller }: EditDetail): string {
  return [
    ...(tool === undefined ? [] : [`tool ${tool}`]),
    `session ${sessionId}`,
    ...(caller.kind === 'agent' ? [`run ${caller.runId}`] : []),
    ...(callId === undefined ? [] : [`call ${callId}`]),
  ].join('  ');
}

/** Permission bits as people write them. */
function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, '0');
}
