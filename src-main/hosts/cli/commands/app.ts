import { spawn } from 'node:child_process';
import { hasDisplay } from '../../display.ts';
import { fetchElectron, findElectron } from '../../electron-binary.ts';
import { builtPath, workspaceFolder } from '../../paths.ts';
import type { CliTerminal } from '../terminal.ts';
import { serveWeb, type WebOptions } from './web.ts';

/** Electron that fails within this time never showed a window (a library is missing, its sandbox is refused), in milliseconds. */
const START_MS = 5000;

/** Opens the desktop app, or, where there is no Electron, says so in one line and serves the same window to the browser. */
export async function openApp(options: WebOptions, terminal: CliTerminal): Promise<void> {
  const problem = hasDisplay() ? await runDesktop(options, terminal) : 'there is no display';
  if (problem === undefined) return;
  terminal.say(`The desktop app cannot run here (${problem}), so Causeway opens in the browser.`);
  await serveWeb(options, terminal);
}

/** Resolves when the desktop app was closed, or with the reason why it never came up. */
async function runDesktop(options: WebOptions, terminal: CliTerminal): Promise<string | undefined> {
  const onFetching = (): void => terminal.say('Fetching Electron. This happens once and may take a minute.');
  const program = findElectron() ?? (await fetchElectron({ signal: terminal.signal, onFetching }));
  terminal.signal.throwIfAborted();
  if (!program) return "Electron's program is not on this machine and could not be fetched";
  const startedAt = performance.now();
  const child = spawn(program, [builtPath('electron', 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      CAUSEWAY_WORKSPACE: workspaceFolder(options.workspace),
      // Electron is no plain Node: it runs scripts with the one that started it.
      CAUSEWAY_NODE: process.execPath,
    },
  });
  const stop = (): void => void child.kill();
  terminal.signal.addEventListener('abort', stop, { once: true });
  try {
    const failure = await new Promise<string | undefined>((resolve) => {
      child.once('error', (error) => resolve(`Electron did not start: ${error.message}`));
      child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `Electron ended with ${signal ?? code}`));
    });
    const cameUp = performance.now() - startedAt > START_MS;
    return cameUp || terminal.signal.aborted ? undefined : failure;
  } finally {
    terminal.signal.removeEventListener('abort', stop);
  }
}
