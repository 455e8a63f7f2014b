import { portOption, type AddCommand } from '../command.ts';
import type { CliTerminal } from '../terminal.ts';

export interface WebOptions {
  workspace?: string;
  port?: number;
  open: boolean;
}

export const addWeb: AddCommand = (program, terminal) => {
  program
    .command('web')
    .description('open Causeway as a page in the browser, on this machine only')
    .addOption(portOption())
    .option('--no-open', 'only print the link')
    .action((options: WebOptions) => serveWeb(options, terminal));
};

/** Serves the window until the program is told to stop. The link goes to stdout. */
export async function serveWeb(options: WebOptions, terminal: CliTerminal): Promise<void> {
  const [{ withCore }, { createWebHost }, { openBrowser }, { examine }, { builtPath }, { untilAborted }] =
    await Promise.all([
      import('../core.ts'),
      import('../../web/index.ts'),
      import('../open-browser.ts'),
      import('../../doctor/index.ts'),
      import('../../paths.ts'),
      import('../terminal.ts'),
    ]);
  await withCore({ ...options, canAsk: () => true }, terminal, async (app) => {
    await using host = await createWebHost({
      app,
      host: { kind: 'web', env: process.env, doctor: () => examine(app, AbortSignal.timeout(DOCTOR_DEADLINE_MS)) },
      rendererFolder: builtPath('renderer'),
      port: options.port ?? 0,
    });
    app.servers.start();
    const link = host.link();
    terminal.answer(link);
    if (options.open) await openBrowser(link);
    using _lines = terminal.onLine(() => terminal.answer(host.link()));
    if (terminal.interactive) terminal.say('Press Enter for a new link, Ctrl-C to stop.');
    await untilAborted(terminal.signal);
  });
}

const DOCTOR_DEADLINE_MS = 20_000;
