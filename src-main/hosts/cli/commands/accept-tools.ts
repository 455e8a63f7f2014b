import type { Command } from 'commander';
import { CausewayError, withHiddenShown, type ToolTrust } from '../../../../src-shared/index.ts';
import type { App } from '../../../app.ts';
import { jsonOption, type CommonOptions } from '../command.ts';
import { startServers, withCore } from '../core.ts';
import type { CliTerminal } from '../terminal.ts';

interface AcceptOptions extends CommonOptions {
  yes?: true;
}

/** Adds `servers accept` to its family. */
export function addAcceptTools(family: Command, terminal: CliTerminal): void {
  family
    .command('accept')
    .description('show what changed in the tools of a server, and agree to it: what is held back is offered again')
    .argument('<name>')
    .argument('[tool]', 'its name within the server; all that wait when left out')
    .option('--yes', 'agree without asking')
    .addOption(jsonOption('what was agreed to'))
    .action((name: string, tool: string | undefined, options: AcceptOptions) =>
      withCore(options, terminal, (app) => acceptTools(app, { name, tool }, options, terminal)),
    );
}

async function acceptTools(
  app: App,
  { name, tool }: { name: string; tool: string | undefined },
  options: AcceptOptions,
  terminal: CliTerminal,
): Promise<void> {
  await startServers(app, terminal);
  const { trust } = app.servers;
  const waiting = findWaiting(trust.view(name).tools, name, tool);
  const accepted: string[] = [];
  for (const item of waiting) {
    // With --json the definitions are not shown, and whoever asked for that has a program to look at them.
    if (!options.json) terminal.say(describe(item));
    const ask = terminal.interactive && !options.yes && !options.json;
    if (ask && !/^y(es)?$/i.test((await terminal.ask('Agree to it? [y]es or no: ', terminal.signal)).trim())) continue;
    trust.answer(name, { key: item.key, hash: item.hash, accept: true });
    accepted.push(item.key);
  }
  if (options.json) terminal.answer(JSON.stringify({ accepted }));
  else if (waiting.length === 0) terminal.say(`Nothing of "${name}" waits for you.`);
  else terminal.answer(accepted.length > 0 ? `Agreed to: ${accepted.map(label).join(', ')}` : 'Agreed to nothing.');
}

/** @throws CausewayError `not_found` when that tool is not there. */
function findWaiting(tools: readonly ToolTrust[], server: string, tool: string | undefined): ToolTrust[] {
  const waiting = tools.filter(({ standing }) => standing !== 'known');
  if (tool === undefined) return waiting.filter(({ declined }) => !declined);
  if (!tools.some(({ key }) => key === tool)) {
    throw new CausewayError('not_found', `The server "${server}" has no tool "${tool}" now.`, {
      hint: tools.length > 0 ? `It has: ${tools.map(({ key }) => label(key)).join(', ')}.` : 'It lists none.',
    });
  }
  return waiting.filter(({ key }) => key === tool);
}

const STANDINGS = {
  known: 'is as you know it',
  new: 'is new',
  changed: 'has changed since you agreed to it',
  suspicious: 'is new, and held back because it is flagged',
};

function describe({ key, standing, flags, change }: ToolTrust): string {
  const marks = { same: ' ', add: '+', del: '-' };
  const lines = (change?.hunks ?? []).flatMap((hunk) => hunk.lines.map(({ kind, text }) => `  ${marks[kind]} ${text}`));
  return [
    `"${label(key)}" ${STANDINGS[standing]}:`,
    ...lines,
    ...(change?.cut ? ['  (There is more than can be shown.)'] : []),
    ...flags.map(({ kind, where, excerpt, spells }) => {
      const spelled = spells === undefined ? '' : ` (it spells "${withHiddenShown(spells)}")`;
      return `  ! ${kind === 'hidden' ? 'hidden characters' : kind === 'long' ? 'very long' : 'words to steer the model'} in ${where}: ${excerpt}${spelled}`;
    }),
  ].join('\n');
}

function label(key: string): string {
  return withHiddenShown(key);
}
