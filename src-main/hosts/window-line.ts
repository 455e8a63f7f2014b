import type { App } from '../app.ts';
import { createRpcConnection, type HostFace } from '../rpc/index.ts';

/** The largest message a window may send, in bytes: a task of a million characters, in any script, and its frame. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Requests of one window that may be under way at once; a window that works has a handful. */
const MAX_PENDING = 256;

/** One window's line to the core as text: what a web socket and Electron's IPC have in common. */
export interface WindowLine extends Disposable {
  /** Takes one message of the window. False when it was no request at all, or one too many: the carrier should hang up. */
  receive(json: string): boolean;
}

/** @param send gets answers and pushes as JSON; it must not throw. */
export function openWindowLine({
  app,
  host,
  send,
}: {
  app: App;
  host: HostFace;
  send: (json: string) => void;
}): WindowLine {
  const connection = createRpcConnection({ app, host, send: (push) => send(JSON.stringify(push)) });
  let pending = 0;
  let open = true;

  async function answer(message: unknown): Promise<void> {
    pending += 1;
    try {
      const response = await connection.handle(message);
      if (response && open) send(JSON.stringify(response));
    } finally {
      pending -= 1;
    }
  }

  return {
    receive(json) {
      const message = parse(json);
      if (message === undefined || pending >= MAX_PENDING) return false;
      void answer(message);
      return true;
    },
    [Symbol.dispose]() {
      open = false;
      connection[Symbol.dispose]();
    },
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
