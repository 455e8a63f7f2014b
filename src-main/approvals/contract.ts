import type {
  ApprovalDecision,
  Caller,
  JsonObject,
  ServerAnswer,
  ServerRequest,
  StoredResult,
  ToolDefinition,
} from '../../src-shared/index.ts';
import type { Question } from '../tools/index.ts';

/** A tool call that wants to go ahead. */
export interface PendingCall {
  sessionId: string;
  callId: string;
  caller: Caller;
  tool: ToolDefinition;
  input: JsonObject;
  signal: AbortSignal;
  /** A path the call names outside the workspace, when there is one. */
  outsidePath?: string;
  /** What the call does beyond what its tool usually does, in a sentence. */
  special?: string;
  /** What the person wants for this tool: that each call asks (for this reason), or that none does. */
  wanted?: { ask?: string; unasked?: true };
}

/**
 * The verdict: go (with the input, perhaps changed by the person), or not, with the sentence the caller gets. `byPerson`: because
 * the person was asked and said yes to this very thing, now or for the session; not because nothing asks.
 */
export type Verdict = { allowed: true; input: JsonObject; byPerson: boolean } | { allowed: false; reason: string };

/** Decides every tool call, asking the person where the policy says so. */
export interface Approvals {
  decide(call: PendingCall): Promise<Verdict>;
  /** A yes given beforehand, as if the person had said "for this session": starting the demo allows what it does. */
  allowForSession(sessionId: string, toolName: string): void;
}

/** What a person answered to an approval. */
export interface ApprovalAnswer {
  decision: ApprovalDecision;
  input?: JsonObject;
  message?: string;
}

/** Which server asks, and where that is shown. */
export interface ServerAsking {
  server: string;
  sessionId: string;
  /** The call that made it ask; none when it asks by itself. */
  callId?: string;
  /** Aborts when the answer is of no use any more. */
  signal: AbortSignal;
}

/** Whose result waits. */
export interface PendingResult {
  sessionId: string;
  callId: string;
  caller: Caller;
  signal: AbortSignal;
}

/** What a person said to a held result; `edit` puts `text` in the place of everything that can be read in it. */
export type HeldAnswer = { decision: 'pass' | 'withhold' } | { decision: 'edit'; text: string };

/** Where questions and approvals wait for the person: shown by whatever host is there, answered by id. */
export interface Desk {
  /** @throws CausewayError `unavailable` when nobody can be asked in this host. */
  ask(at: { sessionId: string; callId: string; signal: AbortSignal }, question: Question): Promise<string>;
  /** Puts what an attached server asks to the person. What may not be asked, or of nobody, is answered here and said. Never rejects. */
  serverAsks(at: ServerAsking, request: ServerRequest): Promise<ServerAnswer>;
  /** @param eachTime there is no yes for the session. */
  approve(call: PendingCall, reason: string, eachTime?: boolean): Promise<ApprovalAnswer>;
  /** Shows the person a result before anybody else reads it. @throws CausewayError `unavailable` when nobody can be asked. */
  hold(at: PendingResult, result: StoredResult): Promise<HeldAnswer>;
  /** @throws CausewayError `not_found` when it was answered or withdrawn already. */
  answerApproval(approvalId: string, answer: ApprovalAnswer): void;
  /** @throws CausewayError `not_found`. */
  answerQuestion(questionId: string, answer: string): void;
  /** @throws CausewayError `not_found`, `bad_input` naming a field that is not filled in as the server wants it. */
  answerServer(requestId: string, answer: ServerAnswer): void;
  /** @throws CausewayError `not_found`. */
  answerHeld(heldId: string, answer: HeldAnswer): void;
}
