import { randomBytes } from 'node:crypto';
import type { App } from '../../../app.ts';
import { BadUsage, portOption, type AddCommand, type CommonOptions } from '../command.ts';
import { withCore } from '../core.ts';
import { untilAborted, type CliTerminal } from '../terminal.ts';

/** The secret that other apps show at the HTTP endpoint, when CAUSEWAY_TOKEN gives none. */
const TOKEN_SECRET = 'mcp.token';
/**
 * How long attached servers may hold up the first answer, in milliseconds. Clients that list the tools once and leave see all
 * of them this way; what comes later is announced as a change of the list.
 */
const SERVERS_DEADLINE_MS = 5000;

interface McpOptions extends CommonOptions {
  http?: true;
  port?: number;
  yes?: true;
}

export const addMcp: AddCommand = (program, terminal) => {
  program
    .command('mcp')
    .description('lend the tools to another app: an MCP server on stdio, or over HTTP')
    .option('--http', 'Streamable HTTP at /mcp on 127.0.0.1 instead of stdio')
    .addOption(portOption())
    .option('--yes', 'go ahead with everything without asking')
    .addHelpText(
      'after',
      '\nThe HTTP endpoint wants a bearer token: the value of CAUSEWAY_TOKEN, or one that is made once and kept.',
    )
    .action((options: McpOptions) => serveMcp(options, terminal));
};

async function serveMcp(options: McpOptions, terminal: CliTerminal): Promise<void> {
  if (options.port !== undefined && !options.http) throw new BadUsage('--port goes with --http.');
  await withCore(options, terminal, async (app) => {
    app.servers.start();
    await app.servers.settled({ deadlineMs: SERVERS_DEADLINE_MS, signal: terminal.signal });
    await (options.http ? serveHttp(app, options.port ?? 0, terminal) : serveOnStdio(app, terminal));
  });
}

async function serveOnStdio(app: App, terminal: CliTerminal): Promise<void> {
  const { serveStdio } = await import('../../../mcp/endpoint/index.ts');
  await serveStdio(app.endpoint, {
    input: process.stdin,
    output: process.stdout,
    signal: terminal.signal,
    onError: (error) => terminal.say(error.message),
  });
}

async function serveHttp(app: App, port: number, terminal: CliTerminal): Promise<void> {
  const { createHttpEndpoint } = await import('../../../mcp/endpoint/index.ts');
  const token = process.env['CAUSEWAY_TOKEN'] || keptToken(app);
  await using http = await createHttpEndpoint(app.endpoint, { token, port });
  terminal.say(`MCP over HTTP: ${http.url}\nAuthorization: Bearer ${token}\nStop it with Ctrl-C.`);
  await untilAborted(terminal.signal);
}

function keptToken({ store: { secrets } }: App): string {
  const kept = secrets.get(TOKEN_SECRET);
  if (kept !== undefined) return kept;
  const token = randomBytes(32).toString('hex');
  secrets.set(TOKEN_SECRET, token);
  return token;
}
