import { z } from 'zod';
import { finding } from './doctor.ts';
import { approvalDecision, heldDecision, messageDelta, sessionEvent } from './events.ts';
import {
  blame,
  conflictChoice,
  editConflict,
  editDetail,
  editTarget,
  editView,
  historyFacets,
  historyQuery,
  plannedFile,
  revertKind,
  revertReport,
} from './history.ts';
import type { JsonObject } from './json.ts';
import { outputMatches, outputPage } from './outputs.ts';
import { storedResult } from './result.ts';
import { contentPart } from './content.ts';
import { attachmentRef, completionTarget, serverOffers } from './server-offers.ts';
import { serverAnswer } from './server-requests.ts';
import { serverHelpContract } from './server-help.ts';
import { importChoice, importSource, namedServer, readServers } from './adding-servers.ts';
import { bundleUpload, bundleUploaded, bundleValues } from './bundles.ts';
import { configInput } from './config-inputs.ts';
import { serverConfig, serverView } from './servers.ts';
import { rewindPoint, sessionSummary } from './sessions.ts';
import { settings } from './settings.ts';
import { terminalContract } from './terminals.ts';
import { toolDefinition } from './tool.ts';
import { viewContract } from './views.ts';
import { trustContract } from './trust.ts';

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);
const nothing = z.object({});
const sessionId = z.string().min(1);

/** What the window needs to know about the place it runs in. */
const hostInfo = z.object({
  version: z.string(),
  host: z.enum(['desktop', 'web']),
  platform: z.string(),
  workspace: z.string(),
  home: z.string(),
  /** What the person should know of the start, a sentence each. */
  warnings: z.array(z.string()),
  model: z.object({
    name: z.string().nullable(),
    baseUrl: z.string().nullable(),
    hasKey: z.boolean(),
    ready: z.boolean(),
    /** Why no run can start, and what to do. */
    problem: z.string().optional(),
  }),
});
export type HostInfo = z.infer<typeof hostInfo>;

/** A model server found on this machine. */
const localEndpoint = z.object({ name: z.string(), baseUrl: z.string(), models: z.array(z.string()) });
export type LocalEndpoint = z.infer<typeof localEndpoint>;

/**
 * The one contract between window and core: over the web socket and over Electron's IPC alike. Both sides check both
 * directions with these schemas.
 */
const rpcContract = {
  'host.info': { input: nothing, output: hostInfo },
  'host.doctor': { input: nothing, output: z.array(finding) },

  'session.list': { input: nothing, output: z.array(sessionSummary) },
  'session.create': {
    input: z.object({ workspace: z.string().optional(), title: z.string().max(300).optional() }),
    output: sessionSummary,
  },
  'session.rename': { input: z.object({ sessionId, title: z.string().min(1).max(300) }), output: sessionSummary },
  /** Events after `afterSeq` (0 for all), oldest first, and from now on pushes for this session until `session.unwatch`. */
  'session.watch': {
    input: z.object({ sessionId, afterSeq: z.number().int().nonnegative() }),
    output: z.array(sessionEvent),
  },
  'session.unwatch': { input: z.object({ sessionId }), output: nothing },
  /** Gives the agent a task. Returns as soon as the run has started. */
  'session.send': {
    input: z.object({
      sessionId,
      text: z.string().min(1).max(1_000_000),
      /** Resources that go with it; they are read now. */
      attachments: z.array(attachmentRef).max(50).default([]),
    }),
    output: z.object({ runId: z.string() }),
  },
  /** Plays the scripted demo in a new session. */
  'session.demo': { input: nothing, output: z.object({ sessionId: z.string(), runId: z.string() }) },
  /** Stops the run of a session; does nothing when none is running. */
  /** What going back to a point of a session would do to files. */
  'session.previewRewind': { input: z.object({ sessionId, point: rewindPoint }), output: z.array(plannedFile) },
  /** Goes back to a point of a session: files, conversation, or both. */
  'session.rewind': {
    input: z.object({ sessionId, point: rewindPoint, files: z.boolean(), conversation: z.boolean() }),
    output: revertReport,
  },
  'session.stop': { input: z.object({ sessionId }), output: nothing },

  'approval.answer': {
    input: z.object({
      approvalId: z.string(),
      decision: approvalDecision,
      input: jsonObject.optional(),
      message: z.string().max(10_000).optional(),
    }),
    output: nothing,
  },
  'question.answer': { input: z.object({ questionId: z.string(), answer: z.string().max(100_000) }), output: nothing },
  /** What the person says to what a server asks. */
  'request.answer': { input: z.object({ requestId: z.string(), answer: serverAnswer }), output: nothing },

  /** What becomes of a result that waits for the person: passed on, passed on with other words, or withheld. */
  'result.answer': {
    input: z.object({ heldId: z.string(), decision: heldDecision, text: z.string().max(10_000_000).optional() }),
    output: nothing,
  },

  'tool.list': { input: nothing, output: z.array(toolDefinition) },
  /** Runs a tool by hand, as the person. */
  'tool.call': { input: z.object({ sessionId, name: z.string(), input: jsonObject }), output: storedResult },
  /** Ends one running tool call. */
  'tool.cancel': { input: z.object({ callId: z.string() }), output: nothing },
  /** Forgets the variables that Python keeps for a session. */
  'python.restart': { input: z.object({ sessionId }), output: z.object({ restarted: z.boolean() }) },
  /** A page of a long output that was kept whole: from byte `at` on, or what stands before it. */
  'output.page': {
    input: z.object({ handle: z.string(), at: z.number().int().nonnegative(), backwards: z.boolean().default(false) }),
    output: outputPage,
  },
  /** Lines of a long output that hold a text, in any case when it is all lower case; from a line on. */
  'output.search': {
    input: z.object({
      handle: z.string(),
      search: z.string().min(1).max(1000),
      line: z.number().int().min(1).default(1),
    }),
    output: outputMatches,
  },

  ...terminalContract,
  ...viewContract,

  'history.list': { input: historyQuery, output: z.array(editView) },
  'history.facets': { input: nothing, output: historyFacets },
  'history.show': { input: z.object({ editId: z.number().int() }), output: editDetail },
  'history.undo': { input: z.object({ editId: z.number().int() }), output: editView },
  'history.redo': { input: z.object({ editId: z.number().int() }), output: editView },
  'history.preview': { input: z.object({ target: editTarget, kind: revertKind }), output: z.array(plannedFile) },
  'history.revert': { input: z.object({ target: editTarget, kind: revertKind }), output: revertReport },
  'history.conflict': { input: z.object({ editId: z.number().int() }), output: editConflict },
  'history.settleConflict': {
    input: z.object({ editId: z.number().int(), choice: conflictChoice }),
    output: editView,
  },
  'history.blame': { input: z.object({ path: z.string().min(1) }), output: blame },

  'server.list': { input: nothing, output: z.array(serverView) },
  'server.add': { input: z.object({ name: z.string().min(1).max(200), config: serverConfig }), output: serverView },
  /** What a pasted text asks to add; nothing is run or written. */
  'server.read': { input: z.object({ text: z.string().max(1_000_000) }), output: readServers },
  /** Adds all or none and starts them. */
  'server.addAll': {
    input: z.object({ servers: z.array(namedServer).min(1).max(200), inputs: z.array(configInput).default([]) }),
    output: z.array(serverView),
  },
  /** The entry of a server, secrets masked, to be changed with `server.update`. */
  'server.config': { input: z.object({ name: z.string() }), output: serverConfig },
  'server.update': { input: namedServer, output: serverView },
  'server.rename': { input: z.object({ name: z.string(), to: z.string().min(1).max(200) }), output: serverView },
  'server.enable': { input: z.object({ name: z.string(), on: z.boolean() }), output: serverView },
  /** What other programs have; secrets are masked, their files are only read. */
  'server.previewImport': { input: nothing, output: z.array(importSource) },
  'server.import': {
    input: z.object({ choices: z.array(importChoice).min(1).max(200) }),
    output: z.array(serverView),
  },
  /** Takes a bundle in parts; the answer to the last one says what is in it. Nothing of it is run. */
  'server.uploadBundle': { input: bundleUpload, output: bundleUploaded },
  'server.addBundle': {
    input: z.object({ upload: z.string(), name: z.string().min(1).max(200), values: bundleValues }),
    output: serverView,
  },
  'server.remove': { input: z.object({ name: z.string() }), output: nothing },
  /** Ends it until it is started by hand, or with the next Causeway. */
  'server.stop': { input: z.object({ name: z.string() }), output: serverView },
  'server.restart': { input: z.object({ name: z.string() }), output: serverView },
  ...serverHelpContract,

  /** What attached servers offer beside tools. */
  'server.offers': { input: nothing, output: serverOffers },
  /** The address that a template of a resource and its values make. */
  'server.expand': {
    input: z.object({ uriTemplate: z.string(), values: z.record(z.string(), z.string()) }),
    output: z.object({ uri: z.string() }),
  },
  'server.complete': {
    input: z.object({
      server: z.string(),
      target: completionTarget,
      argument: z.object({ name: z.string(), value: z.string() }),
      others: z.record(z.string(), z.string()),
    }),
    output: z.array(z.string()),
  },
  'server.prompt': {
    input: z.object({ server: z.string(), name: z.string(), values: z.record(z.string(), z.string()) }),
    output: z.object({
      messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: contentPart })),
    }),
  },
  /** Begins to sign in, or joins the sign-in that waits; the window opens the address, and nobody else does. */
  'server.signIn': {
    input: z.object({ name: z.string() }),
    output: z.object({ url: z.url({ protocol: /^https?$/ }) }),
  },
  'server.cancelSignIn': { input: z.object({ name: z.string() }), output: nothing },
  /** `revoked`: the authorization server was told and agreed. */
  'server.signOut': { input: z.object({ name: z.string() }), output: z.object({ revoked: z.boolean() }) },

  ...trustContract,

  'settings.get': { input: nothing, output: settings },
  'settings.set': { input: settings, output: settings },
  /** Stores the model key; null forgets it. It is never sent back. */
  'settings.setKey': { input: z.object({ key: z.string().min(1).max(10_000).nullable() }), output: nothing },
  'model.findLocal': { input: nothing, output: z.array(localEndpoint) },
} satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type RpcMethod = keyof typeof rpcContract;
/** What each method's caller passes (before defaults). */
type Inputs = { [M in RpcMethod]: z.input<(typeof rpcContract)[M]['input']> };
/** What each method's handler gets (after defaults). */
type ParsedInputs = { [M in RpcMethod]: z.output<(typeof rpcContract)[M]['input']> };
type Outputs = { [M in RpcMethod]: z.output<(typeof rpcContract)[M]['output']> };
export type RpcInput<M extends RpcMethod> = Inputs[M];
export type RpcParsedInput<M extends RpcMethod> = ParsedInputs[M];
export type RpcOutput<M extends RpcMethod> = Outputs[M];

interface Check<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: z.ZodError };
}

/** The contract's checks, typed so that code which is generic over the method keeps input, handler and output together. */
export const rpcChecks: { [M in RpcMethod]: { input: Check<ParsedInputs[M]>; output: Check<Outputs[M]> } } =
  rpcContract;

/** Any method name of the contract. */
export function isRpcMethod(value: string): value is RpcMethod {
  return Object.hasOwn(rpcContract, value);
}

/** Window to core. */
export const rpcRequest = z.object({ id: z.number().int().nonnegative(), method: z.string(), params: z.unknown() });

/** What went wrong, in words that a person can act on. */
export const rpcError = z.object({ code: z.string(), message: z.string(), hint: z.string().optional() });
export type RpcError = z.infer<typeof rpcError>;

/** Core to window: the answer to a request. */
export const rpcResponse = z.union([
  z.object({ id: z.number().int(), result: z.unknown() }),
  z.object({ id: z.number().int(), error: rpcError }),
]);
export type RpcResponse = z.infer<typeof rpcResponse>;

/** Core to window: something happened. */
export const rpcPush = z.discriminatedUnion('push', [
  z.object({ push: z.literal('event'), event: sessionEvent }),
  z.object({ push: z.literal('delta'), delta: messageDelta }),
  z.object({ push: z.literal('session'), session: sessionSummary }),
  z.object({ push: z.literal('offers'), offers: serverOffers }),
  z.object({ push: z.literal('servers'), servers: z.array(serverView) }),
  z.object({ push: z.literal('settings'), settings }),
]);
export type RpcPush = z.infer<typeof rpcPush>;
