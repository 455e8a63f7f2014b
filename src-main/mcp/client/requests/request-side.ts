import type { Client, ClientCapabilities, InputResponse } from '@modelcontextprotocol/client';
import type { ServerConfig } from '../../../../src-shared/index.ts';
import { allowances, capabilities } from './allowances.ts';
import { answerRequest, type Answering, type RawRequest } from './answer-request.ts';
import type { RequestOrigin, ServerHost } from './contract.ts';
import { listenForRequests } from './listen.ts';
import { createRunningCalls, type RunningCall } from './running-calls.ts';

/** One server's side of asking: what it may ask for, and who answers. */
export interface RequestSide {
  readonly capabilities: ClientCapabilities;
  /** Before the connection: answers requests of the older protocol. */
  listen(client: Client): void;
  /** A call has begun; what the server asks meanwhile is on its account. */
  begin(call: RunningCall): Disposable;
  /** Answers what a result asks, on account of a call or of none. Undefined where nobody can be asked. */
  answerFor(
    call: RunningCall | undefined,
    signal: AbortSignal,
  ): ((request: RawRequest) => Promise<InputResponse>) | undefined;
}

export function createRequestSide(
  { name, config }: { name: string; config: ServerConfig },
  host: ServerHost | undefined,
): RequestSide {
  const allowed = allowances(config);
  const calls = createRunningCalls();

  const originOf = (call: RunningCall | undefined, signal: AbortSignal): RequestOrigin => ({
    server: name,
    call: call && { sessionId: call.sessionId, callId: call.callId },
    // What a stopped call was asked for is of no use any more, also to a server that does not say so.
    signal: call && call.signal !== signal ? AbortSignal.any([signal, call.signal]) : signal,
  });

  return {
    capabilities: capabilities(config, host),
    listen(client) {
      if (!host) return;
      listenForRequests(client, { allowed }, (signal, answer) => {
        const origin = originOf(calls.asking(), signal);
        return calls.paused(() => answer({ host, allowed, origin }));
      });
    },
    begin: (call) => calls.begin(call),
    answerFor(call, signal) {
      if (!host) return undefined;
      return async (request) => {
        using _pause = call?.clock.pause();
        const answering: Answering = { host, allowed, origin: originOf(call, signal) };
        return await answerRequest(request, answering);
      };
    },
  };
}
