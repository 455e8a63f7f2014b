import { z } from 'zod';
import { storedPart } from './content.ts';
import { storedResult } from './result.ts';
import { attachmentRef } from './server-offers.ts';
import { serverAnswer, serverRequest } from './server-requests.ts';
import { caller, toolAnnotations, toolOrigin } from './tool.ts';
import type { JsonObject } from './json.ts';
import { keptView } from './views.ts';

const input = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

/** A resource that went with a message: whose, and what was in it. */
export const attachment = z.object({ ...attachmentRef.shape, content: z.array(storedPart) });
export type Attachment = z.infer<typeof attachment>;

/** How a run ended. Only `done` is success. */
export const runOutcome = z.enum(['done', 'failed', 'stopped', 'step_limit', 'model_error', 'interrupted']);
export type RunOutcome = z.infer<typeof runOutcome>;

/** What a person (or the policy) said to a tool call. */
export const approvalDecision = z.enum(['allow_once', 'allow_session', 'deny']);
export type ApprovalDecision = z.infer<typeof approvalDecision>;

/** What a person said to a result that was held for them. */
export const heldDecision = z.enum(['pass', 'edit', 'withhold']);
export type HeldDecision = z.infer<typeof heldDecision>;

/** What an edit did to a file. */
export const editKind = z.enum(['create', 'modify', 'delete', 'undo', 'redo']);
export type EditKind = z.infer<typeof editKind>;

/** The bodies of all events, by type. Times are milliseconds since the epoch; durations are milliseconds. */
export const eventBody = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.created'), title: z.string(), workspace: z.string() }),
  z.object({ type: z.literal('session.renamed'), title: z.string() }),
  /**
   * The person went back to how things were right after the event `to`. With `conversation`, what was said since is no part of it any
   * more; `files` is how many were put back, by edits after the event `from`. Nothing is removed: a later one can go to `from` again.
   */
  z.object({
    type: z.literal('session.rewound'),
    to: z.number().int().nonnegative(),
    from: z.number().int().nonnegative(),
    conversation: z.boolean(),
    files: z.number().int(),
  }),

  /** `scripted` is true when the model is a script that plays a demo, so that nobody takes it for a model. */
  z.object({
    type: z.literal('run.started'),
    runId: z.string(),
    model: z.object({ name: z.string(), scripted: z.boolean() }),
    tools: z.number().int(),
  }),
  z.object({
    type: z.literal('run.ended'),
    runId: z.string(),
    outcome: runOutcome,
    /** The final answer, or the reason in a sentence. */
    message: z.string(),
    steps: z.number().int(),
    durationMs: z.number(),
  }),

  z.object({
    type: z.literal('message.user'),
    runId: z.string(),
    text: z.string(),
    /** Resources of attached servers that the person sent with it, as they were then. */
    attachments: z.array(attachment).optional(),
  }),
  z.object({
    type: z.literal('message.assistant'),
    runId: z.string(),
    messageId: z.string(),
    text: z.string(),
    /** What the model asked for, as it wrote it; `arguments` may be broken JSON. */
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
    usage: z.object({ promptTokens: z.number(), completionTokens: z.number() }).optional(),
    /** True when the stream was cut before its end. */
    partial: z.boolean().optional(),
  }),
  /** Something the person should see and the model need not know: the endpoint asks to wait. */
  z.object({ type: z.literal('notice'), runId: z.string().optional(), text: z.string() }),
  /** A note from Causeway that the person sees and the model is told: tools came or went. */
  z.object({ type: z.literal('note'), runId: z.string().optional(), text: z.string() }),

  z.object({
    type: z.literal('tool.started'),
    callId: z.string(),
    runId: z.string().optional(),
    caller,
    name: z.string(),
    title: z.string().optional(),
    origin: toolOrigin.optional(),
    annotations: toolAnnotations.optional(),
    input,
  }),
  /** Live output while a tool runs: coalesced, and capped per call. The result is what counts. */
  z.object({ type: z.literal('tool.output'), callId: z.string(), text: z.string() }),
  z.object({
    type: z.literal('tool.progress'),
    callId: z.string(),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('tool.ended'),
    callId: z.string(),
    result: storedResult,
    durationMs: z.number(),
    /** True when the call was stopped from outside. */
    cancelled: z.boolean().optional(),
  }),
  /** What shows the call, where its tool has a view. */
  z.object({ type: z.literal('tool.view'), callId: z.string(), view: keptView }),

  z.object({
    type: z.literal('approval.requested'),
    approvalId: z.string(),
    callId: z.string(),
    caller,
    name: z.string(),
    /** Why it asks, in a sentence. */
    reason: z.string(),
    input,
    /** It asks each time: there is no yes for the session. */
    eachTime: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('approval.answered'),
    approvalId: z.string(),
    callId: z.string(),
    decision: approvalDecision,
    /** The input as the person changed it. */
    input: input.optional(),
    message: z.string().optional(),
  }),

  z.object({
    type: z.literal('question.asked'),
    questionId: z.string(),
    callId: z.string(),
    question: z.string(),
    choices: z.array(z.string()).optional(),
  }),
  z.object({ type: z.literal('question.answered'), questionId: z.string(), callId: z.string(), answer: z.string() }),

  /** An attached server asks something of the person. Without `callId` it does so by itself, outside of any call. */
  z.object({
    type: z.literal('server.asked'),
    requestId: z.string(),
    callId: z.string().optional(),
    server: z.string(),
    request: serverRequest,
  }),
  /** `by` says who answered in the person's place: Causeway's own rules, or the end of what it was asked for. */
  z.object({
    type: z.literal('server.answered'),
    requestId: z.string(),
    callId: z.string().optional(),
    answer: serverAnswer,
    by: z.enum(['person', 'rule', 'end']),
    /** Why, in a sentence, where it was not the person. */
    reason: z.string().optional(),
  }),

  /** The call has run, and its result waits for the person before anybody else reads it. */
  z.object({ type: z.literal('result.held'), heldId: z.string(), callId: z.string(), caller, result: storedResult }),
  z.object({
    type: z.literal('result.answered'),
    heldId: z.string(),
    callId: z.string(),
    decision: heldDecision,
  }),

  /** A file was changed; `editId` names it in the history. Counts are lines. */
  z.object({
    type: z.literal('edit.recorded'),
    editId: z.number().int(),
    callId: z.string().optional(),
    kind: editKind,
    path: z.string(),
    added: z.number().int(),
    removed: z.number().int(),
    /** What it is, where it is no file. */
    entry: z.enum(['symlink', 'folder']).optional(),
    /** For undo and redo: the edit that was taken back or done again. */
    of: z.number().int().optional(),
  }),

  z.object({ type: z.literal('server.state'), server: z.string(), state: z.string(), message: z.string().optional() }),
]);
export type EventBody = z.infer<typeof eventBody>;
export type EventType = EventBody['type'];

/** One entry of a session's log. `seq` grows by one per entry over all sessions and never repeats. */
export const sessionEvent = z.intersection(
  z.object({ seq: z.number().int().positive(), sessionId: z.string(), at: z.number() }),
  eventBody,
);
export type SessionEvent = z.infer<typeof sessionEvent>;
export type EventOf<T extends EventType> = Extract<EventBody, { type: T }>;

/** Model text as it streams: shown at once, never stored; the `message.assistant` event that follows holds the whole. */
export const messageDelta = z.object({
  sessionId: z.string(),
  runId: z.string(),
  messageId: z.string(),
  text: z.string(),
});
export type MessageDelta = z.infer<typeof messageDelta>;
