import { createRpc, type Rpc } from './client.ts';
import { createDesktopTransport } from './desktop.ts';
import { createSocketTransport } from './socket.ts';

/** The line to the core: the preload's bridge in the desktop app, else a web socket to where this page came from. */
export function connect(): Rpc {
  if (window.causeway) return createRpc(createDesktopTransport(window.causeway));
  const url = new URL('./rpc', document.baseURI);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  url.search = '';
  return createRpc(createSocketTransport(url.href));
}
