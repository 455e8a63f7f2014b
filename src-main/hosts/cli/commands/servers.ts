import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CausewayError, serverConfig, type ServerConfig, type ServerView } from '../../../../src-shared/index.ts';
import { BadUsage, CommandFailed, jsonOption, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { table } from '../format.ts';
import { openBrowser } from '../open-browser.ts';
import type { CliTerminal } from '../terminal.ts';
import { unlessStopped } from '../unless-stopped.ts';
import { addServerHelp } from './server-help.ts';
import { addAcceptTools } from './accept-tools.ts';
import { addBundle, isBundle } from './servers-bundle.ts';
import { addServersChange } from './servers-change.ts';
import { addServersImport } from './servers-import.ts';
import { chooseNames, confirm } from './servers-proposals.ts';

/** How long a listing waits for servers to start, in milliseconds. */
const START_DEADLINE_MS = 30_000;

interface LoginOptions extends CommonOptions {
  open: boolean;
}

interface AddOptions extends CommonOptions {
  name?: string;
  yes?: true;
  set: Record<string, string>;
  env: Record<string, string>;
  header: Record<string, string>;
  cwd?: string;
}

export const addServers: AddCommand = (program, terminal) => {
  const family = program.command('servers').description('MCP servers that are attached');
  family
    .command('list')
    .description('attached servers, started and looked at')
    .addOption(jsonOption('states, tools and what each server says of itself'))
    .action((options: CommonOptions) => listServers(options, terminal));
  family
    .command('add')
    .description('attach a server by its command line, its URL, or what its README says')
    .argument(
      '<name>',
      'what to call it; alone: JSON, a link or an "mcp add" line from a README, a bundle, "-" for stdin',
    )
    .argument('[target]', 'program to start, URL, or JSON object')
    .argument('[args...]', 'arguments of the program')
    .option('--name <name>', 'what to call the one that a README describes')
    .option('--set <key=value>', 'what a bundle asks for (repeatable)', pair('='), {})
    .option('--yes', 'add what a README describes without asking')
    .option('--env <key=value>', 'environment variable for it (repeatable)', pair('='), {})
    .option('--header <name: value>', 'HTTP header for it (repeatable)', pair(':'), {})
    .option('--cwd <dir>', 'folder to start it in')
    .addOption(jsonOption('what came of it'))
    // Options that are not ours are the program's.
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExamples: causeway servers add browser npx -y @playwright/mcp --headless' +
        `\n          causeway servers add 'claude mcp add git -- uvx mcp-server-git'` +
        '\nPut -- before the program when it has an option that is also one of these.',
    )
    .action((name: string, target: string | undefined, args: string[], options: AddOptions) => {
      if (target === undefined) return addFromText(name, options, terminal);
      if (options.yes || options.name !== undefined) {
        throw new BadUsage(
          '--yes and --name are for text from a README. Put -- before a program that has such an option.',
        );
      }
      return addServer(name, readConfig(target, args, options), options, terminal);
    });
  addServersImport(family, terminal);
  addServersChange(family, terminal, pair);
  family
    .command('remove')
    .description('detach a server and forget it')
    .argument('<name>')
    .addOption(jsonOption('what came of it'))
    .action((name: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        await app.servers.remove(name);
        terminal.answer(options.json ? JSON.stringify({ removed: name }) : `Removed "${name}".`);
      }),
    );
  family
    .command('test')
    .description('start a server, list its tools, stop it; exit code 1 when it does not get ready')
    .argument('<name>')
    .addOption(jsonOption('what was found'))
    .action((name: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) =>
        report(await unlessStopped(app.servers.restart(name), terminal.signal), options, terminal),
      ),
    );
  addServerHelp(family, terminal);
  family
    .command('login')
    .description('sign in to a server in the browser')
    .argument('<name>')
    .option('--no-open', 'print the address and open no browser')
    .addOption(jsonOption('what came of it'))
    .action((name: string, options: LoginOptions) => login(name, options, terminal));
  family
    .command('logout')
    .description('sign out of a server and forget its tokens')
    .argument('<name>')
    .addOption(jsonOption('what came of it'))
    .action((name: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        const { revoked } = await app.servers.signOut(name);
        const told = revoked ? ', and its authorization server was told' : '';
        terminal.answer(
          options.json ? JSON.stringify({ signedOut: name, revoked }) : `Signed out of "${name}"${told}.`,
        );
      }),
    );
  addAcceptTools(family, terminal);
};

function login(name: string, options: LoginOptions, terminal: CliTerminal): Promise<void> {
  return withCore(options, terminal, async (app) => {
    const { servers } = app;
    // What it wants is known once it has refused us.
    const before = await servers.restart(name);
    if (before.state !== 'needs-sign-in' && before.signIn !== 'more') return report(before, options, terminal);
    const { url, done } = await servers.signIn(name);
    terminal.signal.addEventListener('abort', () => servers.cancelSignIn(name), { once: true });
    terminal.say(`Sign in to "${name}" here:\n${url}`);
    if (options.open) await openBrowser(url);
    await done;
    const after = servers.list().find((server) => server.name === name);
    if (after) report(after, options, terminal);
  });
}

function listServers(options: CommonOptions, terminal: CliTerminal): Promise<void> {
  return withCore(options, terminal, async (app) => {
    app.servers.start();
    await app.servers.settled({ deadlineMs: START_DEADLINE_MS, signal: terminal.signal });
    const servers = app.servers.list();
    if (options.json) terminal.answer(JSON.stringify(servers));
    else if (servers.length > 0) terminal.answer(table(servers.map(describe)));
    else terminal.say('No servers are attached. Attach one with "causeway servers add NAME COMMAND".');
  });
}

/** Text from a README: shown as it was understood, and added when the person says yes. */
async function addFromText(text: string, options: AddOptions, terminal: CliTerminal): Promise<void> {
  await withCore({ ...options, yes: false }, terminal, async (app) => {
    if (isBundle(text)) {
      const { name, set, yes } = options;
      return report(await addBundle(app, text, { name, set, yes }, terminal), options, terminal);
    }
    const given = text === '-' ? readFileSync(0, 'utf8') : text;
    const { readServers } = await import('../../../mcp/client/index.ts');
    const read = readServers(given, app.servers.entries());
    const taken = new Set(app.servers.list().map(({ name }) => name));
    const chosen = chooseNames(read, { name: options.name, taken }, terminal);
    if (chosen.length === 0) throw new BadUsage('There is no server in it that could be added.');
    await confirm(`Add ${chosen.length === 1 ? 'it' : `these ${chosen.length}`}?`, options.yes, terminal);
    await app.servers.addAll(
      chosen.map(({ name, config }) => ({ name, config: withOptions(config, options) })),
      read.inputs,
    );
    const names = chosen.map(({ name }) => name);
    const views = await Promise.all(names.map((name) => app.servers.restart(name)));
    if (options.json && views.length > 1) terminal.answer(JSON.stringify(views));
    else for (const view of views) report(view, options, terminal);
  });
}

function withOptions(config: ServerConfig, { env, header }: AddOptions): ServerConfig {
  if ('command' in config && isRecord(config.env)) return { ...config, env: { ...config.env, ...env } };
  return isRecord(config.headers) ? { ...config, headers: { ...config.headers, ...header } } : config;
}

function isRecord(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null;
}

function addServer(name: string, config: ServerConfig, options: AddOptions, terminal: CliTerminal): Promise<void> {
  return withCore(options, terminal, async (app) => {
    await unlessStopped(app.servers.add(name, config), terminal.signal);
    await app.servers.settled({ deadlineMs: START_DEADLINE_MS, signal: terminal.signal });
    const server = app.servers.list().find((item) => item.name === name);
    if (!server) throw new CausewayError('internal', `The server "${name}" was added and is not listed.`);
    report(server, options, terminal);
  });
}

/** Prints how a server is. @throws CommandFailed when it is not ready. */
function report(server: ServerView, options: CommonOptions, terminal: CliTerminal): void {
  if (options.json) terminal.answer(JSON.stringify(server));
  else {
    const tools = server.tools.map((tool) => `  ${tool.name}`);
    terminal.answer([describe(server).join('  '), ...tools].join('\n'));
  }
  if (server.state === 'ready' || server.state === 'off') return;
  const hint = server.state === 'needs-sign-in' ? ` Sign in with: causeway servers login ${server.name}` : '';
  throw new CommandFailed(`The server "${server.name}" is not ready: ${server.message ?? server.state}${hint}`);
}

function describe(server: ServerView): string[] {
  const held = server.heldTools === undefined ? '' : `, ${server.heldTools} held back`;
  const detail = server.state === 'ready' ? `${server.tools.length} tools${held}` : (server.message ?? '');
  return [server.name, server.state, server.transport, server.target, detail];
}

/** @throws BadUsage when it is not a server's config. */
function readConfig(target: string, args: string[], { env, header, cwd }: AddOptions): ServerConfig {
  const parsed = serverConfig.safeParse(rawConfig(target, args, { env, header, ...(cwd !== undefined && { cwd }) }));
  if (!parsed.success) {
    throw new BadUsage(`"${target}" is not a program, a URL, or a server's JSON with "command" or "url".`);
  }
  return parsed.data;
}

function rawConfig(
  target: string,
  args: string[],
  { header, ...program }: Pick<AddOptions, 'env' | 'header' | 'cwd'>,
): unknown {
  if (target.startsWith('-')) {
    throw new BadUsage(`"${target}" is no program. An option of ours goes before the name; a URL needs no option.`);
  }
  if (/^https?:\/\//.test(target)) return { url: target, headers: header };
  if (!target.trimStart().startsWith('{')) {
    // Paths that were right where they were typed stay right wherever Causeway is started from.
    const here = [target, ...args].some(isRelativeFile) ? { cwd: process.cwd() } : {};
    return { command: target, args, ...here, ...program };
  }
  try {
    return JSON.parse(target);
  } catch {
    return undefined;
  }
}

function isRelativeFile(word: string): boolean {
  return word.includes('/') && !path.isAbsolute(word) && existsSync(word);
}

/** Collects repeated `key<separator>value` options. */
function pair(separator: string) {
  return (text: string, former: Record<string, string>): Record<string, string> => {
    const at = text.indexOf(separator);
    if (at < 1) throw new BadUsage(`"${text}" is not of the form key${separator}value.`);
    return { ...former, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
  };
}
