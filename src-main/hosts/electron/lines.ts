import { ipcMain, type IpcMainEvent, type WebContents } from 'electron';
import type { App } from '../../app.ts';
import type { HostFace } from '../../rpc/index.ts';
import { MAX_MESSAGE_BYTES, openWindowLine, type WindowLine } from '../window-line.ts';
import { CHANNEL, ORIGIN } from './bridge.ts';

/** Carries RPC messages between windows and core. A page that is loaded anew gets a new line. */
export function connectWindows({ app, host }: { app: App; host: HostFace }): void {
  const lines = new Map<WebContents, WindowLine>();

  function lineOf(contents: WebContents): WindowLine {
    const known = lines.get(contents);
    if (known) return known;
    const line = openWindowLine({
      app,
      host,
      send(json) {
        if (!contents.isDestroyed()) contents.send(CHANNEL, json);
      },
    });
    lines.set(contents, line);
    const end = (): void => {
      line[Symbol.dispose]();
      lines.delete(contents);
    };
    contents.once('destroyed', end);
    contents.once('did-navigate', end);
    return line;
  }

  ipcMain.on(CHANNEL, (event, json: unknown) => {
    if (!isOurPage(event) || typeof json !== 'string' || json.length > MAX_MESSAGE_BYTES) return;
    lineOf(event.sender).receive(json);
  });
}

/** Only the top frame of the window itself may speak: no frame in it, and no page that took its place. */
function isOurPage({ sender, senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && senderFrame.url.startsWith(`${ORIGIN}/`);
}
