import type { Command } from 'commander';
import type { ImportChoice, ImportSource } from '../../../../src-shared/index.ts';
import { BadUsage, jsonOption, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import type { CliTerminal } from '../terminal.ts';
import { confirm, describeProposal, freeName } from './servers-proposals.ts';

interface ImportOptions extends CommonOptions {
  yes?: true;
  list?: true;
}

/** `causeway servers import`: servers of other programs, whose files are only read. */
export function addServersImport(family: Command, terminal: CliTerminal): void {
  family
    .command('import')
    .description(
      'take servers over from Claude, VS Code, Cursor, Cline, Windsurf, Codex, opencode, goose or Gemini CLI',
    )
    .argument('[wanted...]', 'programs (such as "cursor") or servers to take; all new ones by default')
    .option('--list', 'only show what there is')
    .option('--yes', 'go ahead without asking')
    .addOption(jsonOption('what was found, and what came of it'))
    .action((wanted: string[], options: ImportOptions) => importServers(wanted, options, terminal));
}

function importServers(wanted: string[], options: ImportOptions, terminal: CliTerminal): Promise<void> {
  return withCore({ ...options, yes: false }, terminal, async (app) => {
    const sources = (await app.importer.preview()).map((source) => narrow(source, wanted));
    const found = sources.filter(({ candidates, problem }) => candidates.length > 0 || problem !== undefined);
    if (options.list) return report(found, options, terminal);
    const taken = new Set(app.servers.list().map(({ name }) => name));
    const choices = choose(found, taken);
    if (!options.json) say(found, choices, terminal);
    if (choices.length === 0) return report([], options, terminal, 'There is no server to take over.');
    await confirm(`Add ${choices.length} to Causeway?`, options.yes, terminal);
    await app.importer.take(choices);
    terminal.answer(
      options.json
        ? JSON.stringify({ imported: choices.map(({ name }) => name) })
        : `Added ${choices.map(({ name }) => `"${name}"`).join(', ')}.`,
    );
  });
}

/** Of a program that was named all servers, else those that were named. */
function narrow(source: ImportSource, wanted: readonly string[]): ImportSource {
  if (wanted.length === 0 || wanted.includes(source.key)) return source;
  const { problem: _problem, ...rest } = source;
  return { ...rest, candidates: source.candidates.filter(({ name }) => wanted.includes(name)) };
}

/** New ones, and under another name those whose name is taken; what two programs both have is taken once. */
function choose(sources: readonly ImportSource[], attached: ReadonlySet<string>): ImportChoice[] {
  const taken = new Set(attached);
  const seen = new Set<string>();
  return sources
    .flatMap(({ candidates }) => candidates)
    .flatMap(({ id, name, status, target, values }) => {
      const what = [name, target, ...values].join('\n');
      if (status === 'same' || status === 'unknown' || seen.has(what)) return [];
      seen.add(what);
      const free = freeName(name, taken);
      taken.add(free);
      return [{ id, name: free }];
    });
}

function say(sources: readonly ImportSource[], choices: readonly ImportChoice[], terminal: CliTerminal): void {
  const names = new Map(choices.map(({ id, name }) => [id, name]));
  for (const { app, file, candidates, problem } of sources) {
    terminal.say(`\n${app}, ${file}`);
    if (problem !== undefined) terminal.say(`  ${problem}`);
    for (const candidate of candidates) {
      const as = names.get(candidate.id);
      terminal.say(`  ${describeProposal({ ...candidate, ...(as !== undefined && { as }) }).replaceAll('\n', '\n  ')}`);
    }
  }
}

function report(sources: readonly ImportSource[], options: ImportOptions, terminal: CliTerminal, none?: string): void {
  if (options.json) return terminal.answer(JSON.stringify(sources));
  if (none !== undefined) throw new BadUsage(none);
  const lines = sources.flatMap(({ app, file, candidates, problem }) => [
    `${app}, ${file}`,
    ...(problem === undefined ? [] : [`  ${problem}`]),
    ...candidates.map((candidate) => `  ${describeProposal(candidate).replaceAll('\n', '\n  ')}`),
  ]);
  if (lines.length > 0) terminal.answer(lines.join('\n'));
  else terminal.say('No server was found in the settings of other programs.');
}
