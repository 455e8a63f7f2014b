import {
  CausewayError,
  rpcChecks,
  rpcPush,
  rpcResponse,
  type ErrorCode,
  type RpcError,
  type RpcInput,
  type RpcMethod,
  type RpcOutput,
  type RpcPush,
} from '../../src-shared/index.ts';
import type { Transport } from './transport.ts';

export type ConnectionState = 'connecting' | 'connected' | 'reconnecting';

/** The window's only way to the core. */
export interface Rpc {
  readonly state: ConnectionState;
  /** @throws CausewayError what the core answered, or `unavailable` / `timeout` / `protocol` when there was no good answer. */
  call<M extends RpcMethod>(method: M, params: RpcInput<M>): Promise<RpcOutput<M>>;
  /** Returns the function that ends it. */
  onPush(listener: (push: RpcPush) => void): () => void;
  onState(listener: (state: ConnectionState) => void): () => void;
  close(): void;
}

interface Pending {
  message: string;
  sent: boolean;
  settle(outcome: { result: unknown } | { error: CausewayError }): void;
}

const DEADLINE_MS = 30_000;
/** Calls that wait for a person, a tool or another program. */
const PATIENT: Partial<Record<RpcMethod, number>> = {
  'tool.call': 24 * 60 * 60_000,
  'terminal.read': 24 * 60 * 60_000,
  'view.call': 24 * 60 * 60_000,
  'view.read': 60_000,
  'server.add': 120_000,
  'server.restart': 120_000,
  'server.doctor': 120_000,
  'server.setInput': 120_000,
  'server.traffic': 60_000,
  'server.uploadBundle': 120_000,
  'server.addBundle': 120_000,
  'host.doctor': 120_000,
};

const CODES: readonly ErrorCode[] = [
  'bad_input',
  'not_found',
  'conflict',
  'refused',
  'unavailable',
  'timeout',
  'cancelled',
  'io',
  'protocol',
];

/** Calls, answers and pushes over a transport. Everything received is checked against the contract. */
export function createRpc(transport: Transport): Rpc {
  const pending = new Map<number, Pending>();
  const pushListeners = new Set<(push: RpcPush) => void>();
  const stateListeners = new Set<(state: ConnectionState) => void>();
  let state: ConnectionState = transport.open ? 'connected' : 'connecting';
  let nextId = 1;

  function setState(next: ConnectionState): void {
    if (next === state) return;
    state = next;
    for (const listener of stateListeners) listener(next);
  }

  function flush(): void {
    for (const call of pending.values()) {
      if (call.sent) continue;
      call.sent = true;
      transport.send(call.message);
    }
  }

  transport.onOpenChange((open) => {
    if (open) {
      flush();
      setState('connected');
      return;
    }
    setState('reconnecting');
    for (const [id, call] of pending) {
      // What was never sent waits for the line; what was sent may or may not have happened, and must not be sent twice.
      if (!call.sent) continue;
      pending.delete(id);
      call.settle({
        error: new CausewayError('unavailable', 'The connection to Causeway broke before the answer came.', {
          hint: 'Look whether it happened, then try again.',
        }),
      });
    }
  });

  transport.onMessage((json) => {
    const message = readMessage(json);
    if (message === undefined) return;
    if ('push' in message) {
      for (const listener of pushListeners) listener(message);
      return;
    }
    const call = pending.get(message.id);
    if (!call) return;
    pending.delete(message.id);
    call.settle('error' in message ? { error: toError(message.error) } : { result: message.result });
  });

  async function call<M extends RpcMethod>(method: M, params: RpcInput<M>): Promise<RpcOutput<M>> {
    const id = nextId;
    nextId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      pending.delete(id);
      reject(
        new CausewayError('timeout', 'Causeway did not answer in time.', {
          hint: 'It may be busy. Try again, or restart it.',
        }),
      );
    }, PATIENT[method] ?? DEADLINE_MS);
    pending.set(id, {
      message: JSON.stringify({ id, method, params }),
      sent: false,
      settle: (outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result)),
    });
    if (transport.open) flush();
    try {
      return checked(method, await promise);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    get state() {
      return state;
    },
    call,
    onPush(listener) {
      pushListeners.add(listener);
      return () => pushListeners.delete(listener);
    },
    onState(listener) {
      stateListeners.add(listener);
      return () => stateListeners.delete(listener);
    },
    close: () => transport.close(),
  };
}

function checked<M extends RpcMethod>(method: M, result: unknown): RpcOutput<M> {
  const parsed = rpcChecks[method].output.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new CausewayError('protocol', `The answer to "${method}" was not understood.`, {
    hint: 'The window and the program may be of different versions: reload the window.',
    cause: parsed.error,
  });
}

function readMessage(json: string): RpcPush | ReturnType<typeof rpcResponse.parse> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  // An unknown push comes from a newer core: this window has no use for it.
  if (typeof value === 'object' && value !== null && 'push' in value) return rpcPush.safeParse(value).data;
  return rpcResponse.safeParse(value).data;
}

function toError({ code, message, hint }: RpcError): CausewayError {
  const known = CODES.find((candidate) => candidate === code) ?? 'internal';
  return new CausewayError(known, message, hint === undefined ? {} : { hint });
}
