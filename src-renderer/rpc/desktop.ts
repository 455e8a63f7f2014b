import type { Transport } from './transport.ts';

/** What the desktop app's preload exposes as `window.causeway`. */
export interface DesktopBridge {
  send(json: string): void;
  onMessage(callback: (json: string) => void): void;
}

declare global {
  interface Window {
    causeway?: DesktopBridge;
  }
}

/** The line to the main process of the desktop app: always open while the window lives. */
export function createDesktopTransport(bridge: DesktopBridge): Transport {
  return {
    open: true,
    send: (message) => bridge.send(message),
    onMessage: (listener) => bridge.onMessage(listener),
    onOpenChange: (listener) => queueMicrotask(() => listener(true)),
    close: () => {},
  };
}
