import { CausewayError, type HistoryFacets } from '../../../../../src-shared/index.ts';
import type { App } from '../../../../app.ts';
import { BadUsage, jsonOption, wholeNumber, type AddCommand, type CommonOptions } from '../../command.ts';
import { withCore } from '../../core.ts';
import { findSession } from '../../find-session.ts';
import { table } from '../../format.ts';
import type { CliTerminal } from '../../terminal.ts';
import { describeEdit } from './describe.ts';
import { sinceMoment, untilMoment } from './moment.ts';
import { FROM_WHERE, pathFilter } from './paths.ts';

/** Edits listed unless more are asked for. */
const DEFAULT_LIMIT = 50;

interface ListOptions extends CommonOptions {
  session?: string;
  path?: string;
  name?: string;
  tool?: string;
  caller?: string;
  since?: number;
  until?: number;
  run?: string;
  call?: string;
  limit?: number;
  all?: true;
}

export const addList: AddCommand = (family, terminal) => {
  family
    .command('list')
    .description('edits, the newest first; of several filters all must hold')
    .option('--session <id>', 'only those of one session; the beginning of its id is enough')
    .option('--path <file>', `only those of one file, or of all in a folder; ${FROM_WHERE}`)
    .option('--name <part>', 'only those whose path has this in it, in any case')
    .option('--tool <name>', 'only those that a tool made')
    .option('--caller <who>', 'only those of "agent", "person", or an app by name or id')
    .option(
      '--since <time>',
      'only from then on: 2026-12-01, "2026-12-01 14:00", or back from now: 30m, 2h, 3d',
      sinceMoment,
    )
    .option('--until <time>', 'only up to then; a day counts whole', untilMoment)
    .option('--run <id>', 'only those of one run of the agent')
    .option('--call <id>', 'only those of one tool call')
    .option('--limit <number>', `how many (default: ${DEFAULT_LIMIT})`, wholeNumber('The limit'))
    .option('--all', 'all of them, however many there are')
    .addOption(jsonOption('the list'))
    .action((options: ListOptions) => listEdits(options, terminal));
};

async function listEdits(options: ListOptions, terminal: CliTerminal): Promise<void> {
  const { since, until, name, tool, run, call, all } = options;
  if (all && options.limit !== undefined) throw new BadUsage('--all and --limit contradict each other.');
  if (since !== undefined && until !== undefined && since > until) {
    throw new BadUsage('--since is after --until, so there is nothing between them.');
  }
  await withCore(options, terminal, async (app) => {
    const filter = {
      ...(options.session !== undefined && { sessionId: findSession(app, options.session).id }),
      ...(options.path !== undefined && pathFilter(app, options.path)),
      ...(options.caller !== undefined && { caller: findCaller(app, options.caller) }),
      ...(name !== undefined && { pathPart: name }),
      ...(tool !== undefined && { tool }),
      ...(run !== undefined && { runId: run }),
      ...(call !== undefined && { callId: call }),
      ...(since !== undefined && { from: since }),
      ...(until !== undefined && { to: until }),
    };
    const total = app.history.count(filter);
    const edits = app.history.list({ ...filter, limit: all ? total : (options.limit ?? DEFAULT_LIMIT) });
    if (options.json) terminal.answer(JSON.stringify(edits));
    else if (edits.length > 0) terminal.answer(table(edits.map(describeEdit)));
    else terminal.say(isFiltered(options) ? 'No edits like that are recorded.' : 'No edits are recorded.');
    if (edits.length < total) terminal.say(`These are ${edits.length} of ${total}: see more with --limit N, or --all.`);
  });
}

/** @throws CausewayError `not_found`, or `conflict` when several apps have this name. */
function findCaller(app: App, who: string): string {
  if (who === 'agent' || who === 'person') return who;
  const { callers } = app.history.facets();
  if (callers.some(({ id }) => id === who)) return who;
  const exactly = callers.filter(({ name }) => name === who);
  const anyCase = callers.filter(({ name }) => name.toLowerCase() === who.toLowerCase());
  const [first, ...others] = exactly.length > 0 ? exactly : anyCase;
  if (first && others.length === 0) return first.id;
  throw first ? severalApps(who, [first, ...others]) : noSuchCaller(who, callers);
}

function severalApps(who: string, apps: HistoryFacets['callers']): CausewayError {
  return new CausewayError('conflict', `Several apps are called "${who}".`, {
    hint: `Give the id of one: ${apps.map(({ id }) => id).join(', ')}.`,
  });
}

function noSuchCaller(who: string, callers: HistoryFacets['callers']): CausewayError {
  const names = new Set(['agent', 'person', ...callers.map(({ name }) => name)]);
  return new CausewayError('not_found', `Nobody called "${who}" has edited anything.`, {
    hint: `Choose one of ${[...names].join(', ')}.`,
  });
}

function isFiltered({
  limit: _limit,
  all: _all,
  json: _json,
  workspace: _workspace,
  ...filters
}: ListOptions): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}
