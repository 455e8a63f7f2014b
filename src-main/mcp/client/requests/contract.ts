import type { ServerAnswer, ServerRequest } from '../../../../src-shared/index.ts';

/** Which server asks, and because of which call. */
export interface RequestOrigin {
  server: string;
  /** The call in whose course it asks; undefined when that can not be told, or it asks by itself. */
  call: { sessionId: string; callId: string } | undefined;
  /** Aborts when the answer is of no use any more. */
  signal: AbortSignal;
}

/** A question of a server to the person's model. */
export interface SamplingRequest {
  messages: { role: 'user' | 'assistant'; text: string; images: { data: string; mimeType: string }[] }[];
  system: string | undefined;
  maxTokens: number;
}

/** What this side does for servers that ask. Without it, they are told that none of it is supported. */
export interface ServerHost {
  /** Puts a request to the person. Never rejects. */
  ask(request: ServerRequest, origin: RequestOrigin): Promise<ServerAnswer>;
  /** An answer of the person's model. Their yes has been asked for. @throws CausewayError */
  sample(request: SamplingRequest, signal: AbortSignal): Promise<{ model: string; text: string }>;
  /** The folders that a server may work in. */
  roots(): { uri: string; name: string }[];
}
