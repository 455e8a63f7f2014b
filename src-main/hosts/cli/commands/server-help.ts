import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { CausewayError, type TrafficEntry } from '../../../../src-shared/index.ts';
import { CommandFailed, jsonOption, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { describeFinding } from '../describe-finding.ts';
import { formatDuration } from '../format.ts';
import type { CliTerminal } from '../terminal.ts';
import { unlessStopped } from '../unless-stopped.ts';

/** The commands of `causeway servers` that help with a server that does not work. */
export function addServerHelp(family: Command, terminal: CliTerminal): void {
  family
    .command('doctor')
    .description(
      'look at one server step by step, and say what is wrong and what to do; exit code 1 when it does not work',
    )
    .argument('<name>')
    .addOption(jsonOption('the findings'))
    .action((name: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const findings = await unlessStopped(app.servers.doctor(name), terminal.signal);
        terminal.answer(options.json ? JSON.stringify(findings) : findings.map(describeFinding).join('\n'));
        if (findings.some(({ status }) => status === 'missing')) throw new CommandFailed(`"${name}" does not work.`);
      }),
    );
  family
    .command('traffic')
    .description('start a server and show every message until it is ready, secrets masked')
    .argument('<name>')
    .addOption(jsonOption('the messages'))
    .action((name: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        await unlessStopped(app.servers.restart(name), terminal.signal);
        const { entries } = app.servers.traffic(name).read(0);
        terminal.answer(options.json ? JSON.stringify(entries) : entries.map(describeEntry).join('\n'));
      }),
    );
  family
    .command('input')
    .description('give the value of an ${input:...} of the config file; it is read from the terminal or from stdin')
    .argument('<id>')
    .option('--forget', 'forget it instead')
    .addOption(jsonOption('what came of it'))
    .action((id: string, options: CommonOptions & { forget?: boolean }) =>
      withCore(options, terminal, async (app) => {
        await app.servers.setInput(id, options.forget ? null : await readValue(id, terminal));
        const done = options.forget ? 'forgotten' : 'kept';
        terminal.answer(options.json ? JSON.stringify({ id, [done]: true }) : `The value of "${id}" is ${done}.`);
      }),
    );
}

async function readValue(id: string, terminal: CliTerminal): Promise<string> {
  const given = terminal.interactive
    ? await terminal.ask(`Value of "${id}": `, terminal.signal)
    : await unlessStopped(text(process.stdin), terminal.signal);
  const value = given.replace(/\r?\n$/, '');
  if (value === '') throw new CausewayError('bad_input', 'An empty value was given, so nothing was kept.');
  return value;
}

function describeEntry({ at, direction, kind, method, durationMs, text: said }: TrafficEntry): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const arrow = { to: '->', from: '<-', none: '--' }[direction];
  const took = durationMs === undefined ? '' : ` (${formatDuration(durationMs)})`;
  return `${time} ${arrow} ${[kind, method].filter(Boolean).join(' ')}${took}  ${said}`;
}
