import type { Readable, Writable } from 'node:stream';
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio as serveWire, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Endpoint } from './contract.ts';
import { MAX_MESSAGE_BYTES } from './limits.ts';
import { createLineLimit, type DroppedLine } from './line-limit.ts';
import { createPending } from './pending.ts';
import { findRequestId } from './request-id.ts';

/**
 * How long answers under way may still be written after the app has closed stdin, in milliseconds. Clients wait two seconds
 * for a server to leave (the SDK's own) before they send signals.
 */
const GRACE_MS = 1000;
/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;

export interface StdioOptions {
  /** The app's messages, one a line. Usually stdin. */
  input: Readable;
  /** Carries the protocol and nothing else. Usually stdout. */
  output: Writable;
  /** Ends the connection. */
  signal?: AbortSignal;
  /** Hears of messages that were dropped and the like, for a log. */
  onError?: (error: Error) => void;
}

/**
 * Serves one app over stdio, in the protocol revision that it opens with (2025-11-25 and older, or 2026-07-28).
 * Resolves when the connection has ended: stdin closed, output broken or signal aborted. Junk lines are skipped; a message
 * above 16 MiB is answered with an error. Does not protect against the app itself: who can start Causeway may use it.
 */
export async function serveStdio(endpoint: Endpoint, { input, output, signal, onError }: StdioOptions): Promise<void> {
  if (signal?.aborted) return;
  const pending = createPending();
  const lines = createLineLimit({
    maxBytes: MAX_MESSAGE_BYTES,
    onDropped: (line) => refuse(line),
    beforeEnd: () => pending.settled(GRACE_MS),
  });
  // The lines are limited already; the transport's own limit only has to be out of the way.
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: 2 * MAX_MESSAGE_BYTES });
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<undefined>();

  function refuse(line: DroppedLine): void {
    const message = `A message above ${MAX_MESSAGE_BYTES} bytes was not read.`;
    onError?.(new Error(message));
    const id = findRequestId(line);
    if (id === undefined) return;
    // An app that is gone needs no answer.
    transport.send({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } }).catch(() => undefined);
  }

  const handle = serveWire(({ era }) => endpoint.open({ via: 'stdio', era, lasts: 'connection' }), {
    transport,
    ...(onError && { onerror: (error) => onError(inWords(error)) }),
  });
  observe(transport, pending, () => onClosed(undefined));
  const stop = (): void => void handle.close();
  const onInputError = (): void => void lines.end();
  signal?.addEventListener('abort', stop, { once: true });
  input.on('error', onInputError).on('close', onInputError);
  input.pipe(lines);
  try {
    await closed;
  } finally {
    signal?.removeEventListener('abort', stop);
    input.off('error', onInputError).off('close', onInputError);
    input.unpipe(lines);
    input.pause();
    lines.destroy();
  }
}

/** The SDK reports a message of a wrong shape as the list of everything that it could have been. */
function inWords(error: Error): Error {
  return 'issues' in error ? new Error('A message that is no JSON-RPC 2.0 was left out.', { cause: error }) : error;
}

/** Follows what goes through a transport that the SDK has already taken over. */
function observe(
  transport: StdioServerTransport,
  pending: ReturnType<typeof createPending>,
  onClosed: () => void,
): void {
  const { onmessage, onclose } = transport;
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) {
      // A subscription is answered when the connection ends, and not before.
      if (message.method !== 'subscriptions/listen') pending.started(message.id);
    } else if (isJSONRPCNotification(message)) pending.cancelled(message);
    onmessage?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    pending.answered(message);
  };
  transport.onclose = () => {
    onclose?.();
    onClosed();
  };
}
