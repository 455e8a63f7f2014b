import type { Command } from 'commander';
import { text } from 'node:stream/consumers';
import { CausewayError, type ServerInput, type TrafficEntry } from '../../../../src-shared/index.ts';
import { CommandFailed, jsonOption, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { describeFinding } from '../describe-finding.ts';
import { formatDuration, table } from '../format.ts';
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
    .argument('[id]', 'without it: lists what the servers need, and whether it was given')
    .option('--forget', 'forget it instead')
    .addOption(jsonOption('what came of it'))
    .action((id: string | undefined, options: CommonOptions & { forget?: boolean }) =>
      withCore(options, terminal, async (app) => {
        const inputs = app.servers.list().flatMap((server) => server.inputs ?? []);
        if (id === undefined) return listInputs(inputs, options, terminal);
        const input = inputs.find((one) => one.id === id);
        await app.servers.setInput(id, options.forget ? null : await readValue(id, input, terminal));
        const done = options.forget ? 'forgotten' : 'kept';
        terminal.answer(options.json ? JSON.stringify({ id, [done]: true }) : `The value of "${id}" is ${done}.`);
      }),
    );
}

function listInputs(all: readonly ServerInput[], options: CommonOptions, terminal: CliTerminal): void {
  const inputs = [...new Map(all.map((input) => [input.id, input])).values()];
  if (options.json) terminal.answer(JSON.stringify(inputs));
  else if (inputs.length === 0) terminal.say('No server needs the value of an input.');
  else {
    terminal.answer(
      table(inputs.map(({ id, given, description = '' }) => [id, given ? 'given' : 'not given', description])),
    );
  }
}

/** A secret, and what nothing is known of, does not appear while it is typed. */
async function readValue(id: string, input: ServerInput | undefined, terminal: CliTerminal): Promise<string> {
  if (terminal.interactive) {
    if (input?.description !== undefined) terminal.say(input.description);
    if (input?.options) terminal.say(`One of: ${input.options.join(', ')}`);
  }
  const given = terminal.interactive
    ? await terminal.ask(`Value of "${id}": `, terminal.signal, { secret: input?.secret ?? true })
    : await unlessStopped(text(process.stdin), terminal.signal);
  const value = given.replace(/\r?\n$/, '');
  if (input?.options && !input.options.includes(value)) {
    throw new CausewayError('bad_input', `"${id}" is one of: ${input.options.join(', ')}.`);
  }
  if (value === '') throw new CausewayError('bad_input', 'An empty value was given, so nothing was kept.');
  return value;
}

function describeEntry({ at, direction, kind, method, durationMs, text: said }: TrafficEntry): string {
  const time = new Date(at).toISOString().slice(11, 23);
  const arrow = { to: '->', from: '<-', none: '--' }[direction];
  const took = durationMs === undefined ? '' : ` (${formatDuration(durationMs)})`;
  return `${time} ${arrow} ${[kind, method].filter(Boolean).join(' ')}${took}  ${said}`;
}
