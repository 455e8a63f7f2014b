import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { z } from 'zod';

/** How long the browser may take to start, in milliseconds. */
const START_MS = 15_000;
const answer = z.object({
  id: z.number(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});
const targets = z.array(z.object({ type: z.string(), webSocketDebuggerUrl: z.string() }));

/** One page of a headless browser, steered through the Chrome DevTools Protocol. Disposing it ends the browser. */
export interface DevtoolsPage extends AsyncDisposable {
  open(url: string): Promise<void>;
  /** The value of an expression, promises awaited. @throws Error with what the page threw. */
  evaluate(expression: string): Promise<unknown>;
}

/** Starts Chromium with a profile of its own in `folder`. */
export async function openDevtoolsPage(program: string, folder: string): Promise<DevtoolsPage> {
  await using cleanup = new AsyncDisposableStack();
  const browser = spawn(
    program,
    [
      '--headless',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      '--no-first-run',
      '--disable-background-networking',
      '--window-size=1280,840',
      // Chromium refuses its own sandbox to root; the only page it opens is ours.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  cleanup.defer(() => end(browser));
  const socket = new WebSocket(await findPage(browser), { perMessageDeflate: false });
  cleanup.defer(() => socket.terminate());
  await once(socket, 'open');
  const send = createSender(socket);
  const ends = cleanup.move();
  return {
    async open(url) {
      await send('Page.navigate', { url });
    },
    async evaluate(expression) {
      const result = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
      const { result: value, exceptionDetails } = z
        .object({ result: z.object({ value: z.unknown().optional() }), exceptionDetails: z.unknown().optional() })
        .parse(result);
      if (exceptionDetails !== undefined) throw new Error(`The page failed: ${JSON.stringify(exceptionDetails)}`);
      return value.value;
    },
    [Symbol.asyncDispose]: () => ends.disposeAsync(),
  };
}

/** The browser prints its address on stderr, and lists its pages there. */
async function findPage(browser: ChildProcess): Promise<string> {
  if (!browser.stderr) throw new Error('The browser has no stderr.');
  const signal = AbortSignal.timeout(START_MS);
  for await (const line of createInterface({ input: browser.stderr, signal })) {
    const host = /^DevTools listening on ws:\/\/([^/]+)/.exec(line)?.[1];
    if (host === undefined) continue;
    const pages = targets.parse(await (await fetch(`http://${host}/json/list`, { signal })).json());
    const page = pages.find(({ type }) => type === 'page');
    if (page) return page.webSocketDebuggerUrl;
  }
  throw new Error('The browser ended, or was not ready in time.');
}

function createSender(socket: WebSocket): (method: string, params: object) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  socket.on('message', (data) => {
    const { success, data: message } = answer.safeParse(JSON.parse(String(data)));
    if (!success) return;
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
  });
  socket.on('close', () => {
    for (const call of waiting.values()) call.reject(new Error('The browser is gone.'));
  });
  return (method, params) => {
    const call = Promise.withResolvers<unknown>();
    lastId += 1;
    waiting.set(lastId, call);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return call.promise;
  };
}

/** Ends the whole process group: Chromium is a dozen processes. */
async function end(browser: ChildProcess): Promise<void> {
  if (browser.exitCode !== null || browser.signalCode !== null || browser.pid === undefined) return;
  const gone = once(browser, 'exit');
  process.kill(-browser.pid, 'SIGKILL');
  await gone;
}
