import { homedir } from 'node:os';
import { app as electron, BrowserWindow, dialog } from 'electron';
import { describeError } from '../../../src-shared/index.ts';
import { createApp } from '../../app.ts';
import type { HostFace } from '../../rpc/index.ts';
import { baseOptions } from '../app-options.ts';
import { examine } from '../doctor/index.ts';
import { builtPath } from '../paths.ts';
import { VIEW_ORIGIN } from './bridge.ts';
import { connectWindows } from './lines.ts';
import { claimScheme, serveWindow } from './serve-window.ts';
import { denyPermissions, openWindow } from './window.ts';

const DOCTOR_DEADLINE_MS = 20_000;

/** The desktop app: the same core and the same window as in the browser, in a shell of its own. */
async function main(): Promise<void> {
  await electron.whenReady();
  const app = await createApp({
    ...baseOptions({
      workspace: process.env['CAUSEWAY_WORKSPACE'] ?? homedir(),
      // Electron's own program runs no plain scripts; the command line hands over its Node.
      node: process.env['CAUSEWAY_NODE'] ?? 'node',
    }),
    canAsk: () => BrowserWindow.getAllWindows().length > 0,
  });
  const host: HostFace = {
    kind: 'desktop',
    env: process.env,
    doctor: () => examine(app, AbortSignal.timeout(DOCTOR_DEADLINE_MS)),
    viewFrame: `${VIEW_ORIGIN}/frame`,
  };
  serveWindow({ rendererFolder: builtPath('renderer'), blobs: app.store.blobs });
  denyPermissions();
  connectWindows({ app, host });
  closeBeforeQuit(app);
  app.servers.start();
  openWindow();
  electron.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) openWindow();
  });
}

/** Quitting waits until the core has ended every run, server and child process. */
function closeBeforeQuit(app: AsyncDisposable): void {
  let closed = false;
  electron.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    const quit = (): void => {
      closed = true;
      electron.quit();
    };
    app[Symbol.asyncDispose]().then(quit, quit);
  });
}

claimScheme();
electron.on('window-all-closed', () => {
  // On macOS an app stays in the dock without windows.
  if (process.platform !== 'darwin') electron.quit();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => electron.quit());
main().catch((error: unknown) => {
  dialog.showErrorBox('Causeway could not start', describeError(error));
  electron.exit(1);
});
