import type { Command } from 'commander';
import { isDeepStrictEqual } from 'node:util';
import type { ServerConfig, ServerView } from '../../../../src-shared/index.ts';
import { BadUsage, jsonOption, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import type { CliTerminal } from '../terminal.ts';

interface EditOptions extends CommonOptions {
  env: Record<string, string>;
  header: Record<string, string>;
  unset: string[];
  cwd?: string;
}

/** `causeway servers on|off|rename|edit`: changes of entries in the config file. */
export function addServersChange(
  family: Command,
  terminal: CliTerminal,
  pair: (separator: string) => (text: string, former: Record<string, string>) => Record<string, string>,
): void {
  for (const on of [true, false]) {
    family
      .command(on ? 'on' : 'off')
      .description(on ? 'switch a server on' : 'switch a server off, until it is switched on again')
      .argument('<name>')
      .addOption(jsonOption('what came of it'))
      .action((name: string, options: CommonOptions) =>
        withCore(options, terminal, async (app) => {
          await app.servers.enable(name, on);
          answer(app.servers.list(), name, options, terminal, `"${name}" is switched ${on ? 'on' : 'off'}.`);
        }),
      );
  }
  family
    .command('rename')
    .description('give a server another name')
    .argument('<name>')
    .argument('<new-name>')
    .addOption(jsonOption('what came of it'))
    .action((name: string, to: string, options: CommonOptions) =>
      withCore(options, terminal, async (app) => {
        await app.servers.rename(name, to);
        answer(app.servers.list(), to.trim(), options, terminal, `"${name}" is called "${to.trim()}" now.`);
      }),
    );
  family
    .command('edit')
    .description('change the command, address, variables or headers of a server')
    .argument('<name>')
    .argument('[target]', 'another program or URL')
    .argument('[args...]', 'arguments of the program')
    .option('--env <key=value>', 'environment variable for it (repeatable)', pair('='), {})
    .option('--header <name: value>', 'HTTP header for it (repeatable)', pair(':'), {})
    .option('--unset <name>', 'variable or header to leave out (repeatable)', collect, [])
    .option('--cwd <dir>', 'folder to start it in')
    .addOption(jsonOption('what came of it'))
    .allowUnknownOption()
    .action((name: string, target: string | undefined, args: string[], options: EditOptions) =>
      withCore(options, terminal, async (app) => {
        const former = app.servers.configOf(name);
        const next = changed(former, target, args, options);
        if (isDeepStrictEqual(next, former))
          throw new BadUsage('Say what to change: a program, --env, --header, --cwd.');
        await app.servers.update(name, next);
        answer(app.servers.list(), name, options, terminal, `Changed "${name}".`);
      }),
    );
}

function changed(
  former: ServerConfig,
  target: string | undefined,
  args: string[],
  { env, header, unset, cwd }: EditOptions,
): ServerConfig {
  const isUrl = target === undefined ? former['command'] === undefined : /^https?:\/\//.test(target);
  if (isUrl && Object.keys(env).length > 0) throw new BadUsage('--env is for a program, not for a URL.');
  if (!isUrl && Object.keys(header).length > 0) throw new BadUsage('--header is for a URL, not for a program.');
  const without = (values: unknown): Record<string, string> =>
    Object.fromEntries(
      Object.entries(typeof values === 'object' && values !== null ? values : {}).filter(
        ([name]) => !unset.includes(name),
      ),
    );
  const { disabled } = former;
  if (isUrl) {
    const url = target ?? String(former['url']);
    return {
      ...pickRest(former, ['command', 'args', 'env', 'cwd']),
      url,
      disabled,
      headers: { ...without(former['headers']), ...header },
    };
  }
  return {
    ...pickRest(former, ['url', 'headers', 'type']),
    command: target ?? String(former['command']),
    args: target === undefined && Array.isArray(former['args']) ? former['args'].map(String) : args,
    disabled,
    env: { ...without(former['env']), ...env },
    ...(cwd !== undefined && { cwd }),
  };
}

function pickRest(config: ServerConfig, left: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !left.includes(key)));
}

function collect(value: string, former: string[]): string[] {
  return [...former, value];
}

function answer(
  servers: readonly ServerView[],
  name: string,
  options: CommonOptions,
  terminal: CliTerminal,
  sentence: string,
): void {
  terminal.answer(options.json ? JSON.stringify(servers.find((server) => server.name === name)) : sentence);
}
