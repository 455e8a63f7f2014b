import type { Transport } from './transport.ts';

/** Waiting time before the n-th attempt to reconnect, in milliseconds: quick at first, then every five seconds. */
export function reconnectDelay(attempt: number): number {
  return Math.min(5000, 200 * 2 ** Math.min(attempt, 10));
}

/** A web socket that reopens itself until closed; at once when the network or the page comes back. */
export function createSocketTransport(url: string): Transport {
  let socket: WebSocket | undefined;
  let attempt = 0;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let messageListener: (message: string) => void = () => {};
  let openListener: (open: boolean) => void = () => {};

  function connect(): void {
    clearTimeout(timer);
    const current = new WebSocket(url);
    socket = current;
    current.addEventListener('open', () => {
      attempt = 0;
      openListener(true);
    });
    current.addEventListener('message', (event) => {
      if (typeof event.data === 'string') messageListener(event.data);
    });
    current.addEventListener('close', () => {
      if (closed || socket !== current) return;
      openListener(false);
      timer = setTimeout(connect, reconnectDelay(attempt));
      attempt += 1;
    });
  }

  function connectNow(): void {
    if (closed || document.hidden || socket?.readyState !== WebSocket.CLOSED) return;
    connect();
  }

  window.addEventListener('online', connectNow);
  document.addEventListener('visibilitychange', connectNow);
  connect();

  return {
    get open() {
      return socket?.readyState === WebSocket.OPEN;
    },
    send: (message) => socket?.send(message),
    onMessage: (listener) => (messageListener = listener),
    onOpenChange: (listener) => (openListener = listener),
    close() {
      closed = true;
      clearTimeout(timer);
      window.removeEventListener('online', connectNow);
      document.removeEventListener('visibilitychange', connectNow);
      socket?.close();
    },
  };
}
