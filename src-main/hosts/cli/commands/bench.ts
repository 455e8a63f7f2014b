import { describeError, nearestNames } from '../../../../src-shared/index.ts';
import type { BenchRow } from '../bench/contract.ts';
import { BadUsage, CommandFailed, jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { table } from '../format.ts';
import type { CliTerminal } from '../terminal.ts';

interface BenchOptions extends CommonOptions {
  only?: string[];
}

export const addBench: AddCommand = (program, terminal) => {
  program
    .command('bench')
    .description('measure this machine: each row beside its floor, taken in the same run')
    .option('--only <names>', 'names, or beginnings of names, separated by commas', (text: string) => text.split(','))
    .addOption(jsonOption('the rows'))
    .action((options: BenchOptions) => runBenches(options, terminal));
};

async function runBenches({ only, json }: BenchOptions, terminal: CliTerminal): Promise<void> {
  const [{ BENCHES }, { inFreshApp }] = await Promise.all([
    import('../bench/index.ts'),
    import('../bench/in-fresh-app.ts'),
  ]);
  const rows: BenchRow[] = [];
  const failed: string[] = [];
  for (const name of choose(Object.keys(BENCHES), only)) {
    terminal.signal.throwIfAborted();
    terminal.say(`${name} ...`);
    try {
      const bench = await BENCHES[name]?.();
      if (bench) rows.push(await inFreshApp(bench, terminal.signal));
    } catch (error) {
      failed.push(name);
      terminal.say(`${name} could not be measured: ${describeError(error)}`);
    }
  }
  terminal.signal.throwIfAborted();
  terminal.answer(json ? JSON.stringify(rows) : describe(rows));
  if (failed.length > 0) throw new CommandFailed(`Not measured: ${failed.join(', ')}.`);
}

/** @throws BadUsage for a name that is none. */
function choose(names: readonly string[], only: readonly string[] | undefined): readonly string[] {
  if (!only) return names;
  return only.flatMap((wanted) => {
    // `mcp-client` is easier to type, and how some write it.
    const dotted = wanted.replaceAll('-', '.');
    const chosen = names.filter((name) => name === dotted || name.startsWith(`${dotted}.`));
    if (chosen.length > 0) return chosen;
    throw new BadUsage(
      `There is no benchmark "${wanted}". Did you mean ${nearestNames(wanted, names, 2).join(' or ')}?`,
    );
  });
}

function describe(rows: readonly BenchRow[]): string {
  return table([
    ['name', 'value', 'floor', 'ratio', 'goal', '', ''],
    ...rows.map(({ name, value, unit, floor, ratio, goal, ok, note = '' }) => [
      name,
      `${value} ${unit}`,
      `${floor} ${unit}`,
      `${ratio.toFixed(2)}x`,
      `${goal}x`,
      ok ? 'ok' : 'over',
      note,
    ]),
  ]);
}
