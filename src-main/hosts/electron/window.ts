import { BrowserWindow, session, shell, type WebFrameMain } from 'electron';
import { builtPath } from '../paths.ts';
import { ORIGIN, VIEW_ORIGIN } from './bridge.ts';

/** Opens the window: a sandboxed page that can do nothing but talk to the core through the preload's two functions. */
export function openWindow(): BrowserWindow {
  const window = new BrowserWindow({
    width: 1280,
    height: 840,
    minWidth: 480,
    minHeight: 400,
    show: false,
    title: 'Causeway',
    webPreferences: {
      preload: builtPath('electron', 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  });
  const { webContents } = window;
  webContents.on('will-navigate', (event) => event.preventDefault());
  webContents.on('will-frame-navigate', (event) => {
    // Only the window itself makes a frame, and only for a view; within a view its own policy says where it may go.
    if (!event.url.startsWith(`${VIEW_ORIGIN}/frame?`) && !isInView(event.frame)) event.preventDefault();
  });
  webContents.setWindowOpenHandler(({ url }) => {
    // A link that the person clicked opens in their browser, and only a web page does.
    if (/^https?:\/\//.test(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${ORIGIN}/`);
  return window;
}

/** A frame within the frame of a view. */
function isInView(frame: WebFrameMain | null): boolean {
  return frame?.parent?.url.startsWith(`${VIEW_ORIGIN}/`) === true;
}

/** No page gets a camera, a microphone, notifications or any other permission; copying text is the one exception. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  );
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  );
}
