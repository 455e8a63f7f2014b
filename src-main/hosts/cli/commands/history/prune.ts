import type { PruneReport } from '../../../../history/index.ts';
import { jsonOption, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import { formatBytes } from '../../format.ts';
import { counted } from './describe.ts';

export const addPrune: AddCommand = (family, terminal) => {
  family
    .command('prune')
    .description('forget what is older or more than the settings keep, never the newest edit of a file')
    .addOption(jsonOption('how much was forgotten'))
    .action((options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const report = await app.history.prune(terminal.signal);
        const { keepDays, keepBytes } = app.store.settings.get().history;
        const limits = `The history keeps ${counted(keepDays, 'day')} and ${formatBytes(keepBytes)}.`;
        terminal.answer(options.json ? JSON.stringify(report) : `${describe(report)} ${limits}`);
      }),
    );
};

function describe({ edits, bytes }: PruneReport): string {
  if (edits === 0 && bytes === 0) return 'There was nothing to forget.';
  return `Forgot ${counted(edits, 'edit')}, ${formatBytes(bytes)}.`;
}
