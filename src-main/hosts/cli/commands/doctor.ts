import type { Finding } from '../../../../src-shared/index.ts';
import { jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';

/** How long the whole examination may take, in milliseconds. */
const DEADLINE_MS = 20_000;
const MARKS: Record<Finding['status'], string> = { ok: 'ok      ', missing: 'missing ', warning: 'warning ' };

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
        terminal.answer(options.json ? JSON.stringify(findings) : findings.map(describe).join('\n'));
      }),
    );
};

function describe({ name, status, detail, fix }: Finding): string {
  const line = `${MARKS[status]}${name}: ${detail}`;
  return fix && status !== 'ok' ? `${line}\n        ${fix}` : line;
}
