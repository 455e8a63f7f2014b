import type { Attachment, FunctionTool, MessageDelta, RunOutcome } from '../../src-shared/index.ts';

/** A message as the chat completions API knows it; the loop's own form, one per role. */
export type ChatMessage =
  | { role: 'system'; text: string }
  | { role: 'user'; text: string; images?: ChatImage[] }
  | { role: 'assistant'; text: string; toolCalls: ModelToolCall[] }
  | { role: 'tool'; callId: string; text: string };

/** `data` is base64. */
export interface ChatImage {
  data: string;
  mimeType: string;
}

/** What a model asked for; `arguments` is the JSON text as the model wrote it, perhaps broken. */
export interface ModelToolCall {
  id: string;
  name: string;
  arguments: string;
}

export interface ModelRequest {
  messages: readonly ChatMessage[];
  tools: readonly FunctionTool[];
}

/** What a model says, as it says it; `end` comes last, once. A stream without it was cut off. */
export type ModelChunk =
  | { type: 'text'; text: string }
  /** For the person, not part of the answer: "the endpoint asks to wait 8 seconds". */
  | { type: 'notice'; text: string }
  | { type: 'tool_call'; call: ModelToolCall }
  | { type: 'usage'; promptTokens: number; completionTokens: number }
  | { type: 'end'; reason: 'stop' | 'tool_calls' | 'length' | 'other' };

/** Something that thinks: an OpenAI-compatible endpoint, or a script that says it is one. */
export interface Model {
  readonly name: string;
  readonly scripted: boolean;
  /** How much one request may hold, in tokens, where it is known. */
  readonly contextTokens?: number;
  /** @throws CausewayError with the setting to look at; never a bare HTTP error. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>;
}

/** How the model itself wants its run to end (the terminate tool). */
export interface Finish {
  status: 'success' | 'failure';
  /** The final answer, or why it failed. */
  message: string;
}

/** How a run ended. */
export interface RunEnd {
  runId: string;
  outcome: RunOutcome;
  message: string;
  steps: number;
}

export interface Run {
  readonly id: string;
  readonly sessionId: string;
  /** Never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Ends the run as `stopped`: the model stream and every tool call are aborted. */
  stop(): void;
}

export interface Agent {
  /**
   * Starts a run in a session: one prompt, as many steps as it takes. Earlier messages of the session are its memory.
   * @throws CausewayError `conflict` when the session already runs.
   */
  start(request: { sessionId: string; text: string; model: Model; attachments?: readonly Attachment[] }): Run;
  /** The run of a session, while it runs. */
  running(sessionId: string): Run | undefined;
  /**
   * Lets a run end as soon as the tool call that says so has returned: the rest of its batch does not run. Only Causeway's own
   * terminate tool is given this, so no attached server can end a run. False when no such run is under way.
   */
  finish(runId: string, end: Finish): boolean;
  /** Shows tools to the model of a run from its next step on (the find_tools tool). */
  addTools(runId: string, names: readonly string[]): void;
  onDelta(listener: (delta: MessageDelta) => void): Disposable;
  /** Stops every run and waits for their ends. */
  stopAll(): Promise<void>;
}
