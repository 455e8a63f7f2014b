import { jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { describeFinding } from '../describe-finding.ts';

/** How long the whole examination may take, in milliseconds. */
const DEADLINE_MS = 20_000;

export const addDoctor: AddCommand = (program, terminal) => {
  program
    .command('doctor')
    .description('what was found on this machine and what is missing, with the fix for each')
    .addOption(jsonOption('the findings'))
    .action((options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const { examine } = await import('../../doctor/index.ts');
        const findings = await examine(app, AbortSignal.any([terminal.signal, AbortSignal.timeout(DEADLINE_MS)]));
        terminal.signal.throwIfAborted();
        terminal.answer(options.json ? JSON.stringify(findings) : findings.map(describeFinding).join('\n'));
      }),
    );
};
