import type { App, AppOptions } from '../../app.ts';
import { baseOptions } from '../app-options.ts';
import type { CliTerminal } from './terminal.ts';

/** How long servers may take to start before a command goes on without them, in milliseconds. */
const SERVERS_DEADLINE_MS = 30_000;

export interface CoreOptions {
  workspace?: string;
  /** Goes ahead without asking. */
  yes?: boolean;
  /** True while somebody can be asked; nobody unless said otherwise. */
  canAsk?: () => boolean;
}

/**
 * Opens the core for one command and closes it after, whatever happens; loaded only here, so that help needs none of it.
 * What there is to say of the start (a crash before it, damage) goes to stderr.
 */
export async function withCore<T>(
  { workspace, yes = false, canAsk = () => false }: CoreOptions,
  terminal: CliTerminal,
  use: (app: App) => Promise<T>,
): Promise<T> {
  const { createApp } = await import('../../app.ts');
  const options: AppOptions = {
    ...baseOptions({ workspace }),
    canAsk,
    ...(yes && { approvalMode: 'full' }),
  };
  terminal.signal.throwIfAborted();
  await using app = await createApp(options);
  for (const warning of app.warnings) terminal.say(warning);
  return await use(app);
}

/** Starts the attached servers and waits until each is ready or failed; failures are said on stderr. */
export async function startServers(app: App, terminal: CliTerminal): Promise<void> {
  app.servers.start();
  await app.servers.settled({ deadlineMs: SERVERS_DEADLINE_MS, signal: terminal.signal });
  for (const server of app.servers.list()) {
    if (server.heldTools !== undefined) {
      const what = server.heldTools === 1 ? 'A tool' : `${server.heldTools} tools`;
      terminal.say(
        `${what} of "${server.name}" ${server.heldTools === 1 ? 'waits' : 'wait'} for you: causeway servers accept ${server.name}`,
      );
    }
    if (server.state === 'ready' || server.state === 'off') continue;
    terminal.say(`The server "${server.name}" is not ready: ${server.message ?? server.state}`);
  }
}
