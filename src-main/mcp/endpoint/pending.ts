import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type RequestId,
} from '@modelcontextprotocol/server';

/** The requests of a connection that wait for their answer. */
export interface Pending {
  started(id: RequestId): void;
  /** Give it every outgoing message once it is written. */
  answered(message: JSONRPCMessage): void;
  /** Give it every incoming notification: a cancelled request gets no answer. */
  cancelled(notification: JSONRPCNotification): void;
  /** Resolves when none is left, or after `limitMs`. */
  settled(limitMs: number): Promise<void>;
}

export function createPending(): Pending {
  const ids = new Set<unknown>();
  let onEmpty: (() => void) | undefined;

  function end(id: unknown): void {
    ids.delete(id);
    if (ids.size === 0) onEmpty?.();
  }

  return {
    started: (id) => void ids.add(id),
    answered(message) {
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) end(message.id);
    },
    cancelled({ method, params }) {
      if (method === 'notifications/cancelled') end(params?.['requestId']);
    },
    async settled(limitMs) {
      if (ids.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      onEmpty = () => resolve(undefined);
      const limit = setTimeout(onEmpty, limitMs);
      await promise;
      clearTimeout(limit);
    },
  };
}
