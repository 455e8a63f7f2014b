import type { Caller, JsonObject, ToolDefinition, ToolResult } from '../../src-shared/index.ts';
import type { Operator } from '../operator/index.ts';

/**
 * A tool: what it is called and takes (all of {@link ToolDefinition}), and `execute`. It converts losslessly to an OpenAI
 * function and to an MCP tool. The gateway has checked `input` against `inputSchema` before `execute` runs. A tool may
 * throw: the gateway turns that into a failed result.
 */
export interface Tool extends ToolDefinition {
  execute(input: JsonObject, context: ToolContext): Promise<ToolResult>;
  /** Why this very call needs a yes, in a sentence, even where the mode of approvals lets the tool go ahead unasked. */
  reasonToAsk?(input: JsonObject, sessionId: string): Promise<string | undefined>;
  trust?: ToolTrust;
}

/** What the gateway has to heed of an attached server's tool: what the person set for it, and what is odd about it. */
export interface ToolTrust {
  /** Each call asks, for this reason, whatever the mode of approvals is. */
  ask?: string;
  /** The person wants it to run unasked. */
  unasked?: true;
  /** The person reads each result before anybody else does. */
  holdResult?: true;
}

/** What a tool is given beside its input. */
export interface ToolContext {
  /** Aborts when the person, the caller or a deadline ends the call. */
  readonly signal: AbortSignal;
  readonly callId: string;
  /** The session whose log the call is in. Shells and Python variables are kept per session. */
  readonly sessionId: string;
  readonly caller: Caller;
  /** The only way to files and processes. */
  readonly operator: Operator;
  /** A path outside the workspace, links resolved, that the person was asked for and allowed in this call. */
  readonly approvedOutside?: string;
  readonly output: OutputSink;
  /**
   * Asks the person and waits, for as long as it takes or until `signal` aborts.
   * @throws CausewayError `unavailable` when nobody can be asked here.
   */
  ask(question: Question): Promise<string>;
}

/** Where a running tool reports. */
export interface OutputSink {
  /** Live text for the card. Not part of the result. */
  write(text: string): void;
  progress(progress: { progress: number; total?: number; message?: string }): void;
}

export interface Question {
  question: string;
  choices?: string[];
}

/** Somebody who has tools to offer, whose list can change while the program runs. */
export interface ToolSource {
  tools(): readonly Tool[];
}

/** Names one call: who wants which tool with what. */
export interface ToolCallRequest {
  /** Chosen by the caller when it needs to know it beforehand; else made by the gateway. */
  callId?: string;
  sessionId: string;
  caller: Caller;
  name: string;
  /** What the caller sent: not yet checked. */
  input: unknown;
  /** Why the input could not even be read, in a sentence (broken JSON of a model): recorded, and the answer. */
  problem?: string;
  signal: AbortSignal;
  /** Live output and progress for callers that forward them (MCP). The event log gets both anyway. */
  onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** The one road of every tool call: resolve, validate, decide, record, run, bound, record, emit. Never throws, never rejects. */
export interface Gateway {
  call(request: ToolCallRequest): Promise<ToolResult>;
  /** Ends one running call; false when it is not running. */
  cancel(callId: string): boolean;
}
