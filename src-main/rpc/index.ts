import {
  CausewayError,
  describeIssues,
  isRpcMethod,
  rpcChecks,
  rpcRequest,
  type RpcError,
  type RpcMethod,
  type RpcOutput,
  type RpcPush,
  type RpcResponse,
} from '../../src-shared/index.ts';
import type { App } from '../app.ts';
import { createHandlers, type Handlers, type HostFace } from './handlers.ts';
import { createWindowTerminals } from './terminals.ts';

export type { HostFace } from './handlers.ts';

/** One window's line to the core. */
export interface RpcConnection extends Disposable {
  /** Answers one message of the window. Never rejects. Undefined when the message has no id to answer to. */
  handle(message: unknown): Promise<RpcResponse | undefined>;
}

/**
 * Serves the RPC contract to one window, whatever carries the messages (web socket, Electron's IPC).
 * @param send gets pushes; it must not throw.
 */
export function createRpcConnection({
  app,
  host,
  send,
}: {
  app: App;
  host: HostFace;
  send: (push: RpcPush) => void;
}): RpcConnection {
  const watched = new Set<string>();
  const subscriptions = new DisposableStack();
  const terminals = subscriptions.use(createWindowTerminals(app.terminals));
  const handlers = createHandlers({ app, host, watched, terminals });
  subscriptions.use(
    app.store.events.on((event) => {
      if (watched.has(event.sessionId)) send({ push: 'event', event });
    }),
  );
  subscriptions.use(
    app.agent.onDelta((delta) => {
      if (watched.has(delta.sessionId)) send({ push: 'delta', delta });
    }),
  );
  subscriptions.use(app.store.sessions.onChange((session) => send({ push: 'session', session })));
  subscriptions.use(app.servers.onChange(() => send({ push: 'servers', servers: app.servers.list() })));
  subscriptions.use(app.servers.beside.onChange(() => send({ push: 'offers', offers: app.servers.beside.list() })));
  subscriptions.use(app.store.settings.onChange((settings) => send({ push: 'settings', settings })));

  return {
    async handle(message) {
      const request = rpcRequest.safeParse(message);
      if (!request.success) return undefined;
      const { id, method, params } = request.data;
      try {
        return { id, result: await answer(handlers, method, params) };
      } catch (error) {
        return { id, error: toRpcError(error) };
      }
    },
    [Symbol.dispose]: () => subscriptions.dispose(),
  };
}

async function answer(handlers: Handlers, method: string, params: unknown): Promise<unknown> {
  if (!isRpcMethod(method)) throw new CausewayError('bad_input', `There is no method "${method}".`);
  return await dispatch(handlers, method, params);
}

/** Generic over the method, so that the compiler ties the checked input to its handler. */
async function dispatch<M extends RpcMethod>(handlers: Handlers, method: M, params: unknown): Promise<RpcOutput<M>> {
  const checks = rpcChecks[method];
  const input = checks.input.safeParse(params);
  if (!input.success) throw new CausewayError('bad_input', describeIssues(input.error));
  const output = checks.output.safeParse(await handlers[method](input.data));
  if (!output.success)
    throw new CausewayError('internal', `${method} gave a wrong answer: ${describeIssues(output.error)}`);
  return output.data;
}

function toRpcError(error: unknown): RpcError {
  if (error instanceof CausewayError) {
    return { code: error.code, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) };
  }
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}
