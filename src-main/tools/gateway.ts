import { randomUUID } from 'node:crypto';
import {
  CausewayError,
  describeError,
  failure,
  isJsonObject,
  type EventBody,
  type JsonObject,
  type ToolResult,
} from '../../src-shared/index.ts';
import type { Approvals, Desk } from '../approvals/index.ts';
import type { Operator } from '../operator/index.ts';
import type { BlobStore, EventLog, OutputStore } from '../store/index.ts';
import { boundResult } from './bound-result.ts';
import type { ToolCollection } from './collection.ts';
import type { Gateway, Tool, ToolCallRequest, ToolContext } from './contract.ts';
import type { InputCheck } from './input-check.ts';
import { holdResult } from './held-result.ts';
import { createLiveOutput } from './live-output.ts';
import { isFor } from './visibility.ts';

export interface GatewayParts {
  collection: ToolCollection;
  inputCheck: InputCheck;
  approvals: Approvals;
  desk: Desk;
  events: EventLog;
  blobs: BlobStore;
  outputs: OutputStore;
  /** Why there is no tool of a name that others may know: it is held back, or switched off. */
  whyMissing?: (name: string) => CausewayError | undefined;
  /** Bytes of one result's text that reach a model. */
  capBytes: () => number;
  /** The operator of a session's workspace. */
  operatorOf: (sessionId: string) => Promise<Operator>;
}

/** The one road of every tool call. */
export function createGateway(parts: GatewayParts): Gateway {
  const running = new Map<string, AbortController>();

  async function call(request: ToolCallRequest): Promise<ToolResult> {
    const callId = request.callId ?? randomUUID();
    const tool = parts.collection.find(request.name);
    const startedAt = performance.now();
    try {
      recordStart(parts, { ...request, callId }, tool);
    } catch (error) {
      return failure(`The call was not run, because it could not be recorded. ${describeError(error)}`);
    }
    const controller = new AbortController();
    const signal = AbortSignal.any([request.signal, controller.signal]);
    running.set(callId, controller);
    try {
      const whole = await settle(() => run(parts, { ...request, callId, signal }, tool));
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      const recorded = recordEnd(parts, { ...request, callId, signal }, { ...whole, durationMs });
      // Other apps and views get what the tool gave, unshortened: the bridge is transparent.
      return request.caller.kind === 'app' || request.caller.kind === 'view' ? { ...whole, durationMs } : recorded;
    } finally {
      running.delete(callId);
    }
  }

  return {
    call,
    cancel(callId) {
      const controller = running.get(callId);
      controller?.abort(new CausewayError('cancelled', 'The call was stopped.'));
      return controller !== undefined;
    },
  };
}

type IdentifiedCall = ToolCallRequest & { callId: string };

/** From the name to the result; what goes wrong on the way is thrown. */
async function run(parts: GatewayParts, request: IdentifiedCall, tool: Tool | undefined): Promise<ToolResult> {
  if (!tool || !isFor(tool, request.caller)) {
    const known = tool ? undefined : parts.whyMissing?.(request.name);
    if (known) throw known;
    const nearest = parts.collection.nearest(request.name).filter((name) => name !== request.name);
    throw new CausewayError('not_found', `There is no tool "${request.name}".`, {
      ...(nearest.length > 0 && { hint: `Did you mean ${nearest.map((name) => `"${name}"`).join(' or ')}?` }),
    });
  }
  if (request.problem !== undefined) throw new CausewayError('bad_input', request.problem);
  const asked = parts.inputCheck.check(tool.inputSchema, request.input);
  const operator = await parts.operatorOf(request.sessionId);
  const outsidePath = await findOutsidePath(tool, asked, operator);
  const { sessionId, callId, caller, signal } = request;
  const special = await tool.reasonToAsk?.(asked, sessionId);
  const verdict = await parts.approvals.decide({
    sessionId,
    callId,
    caller,
    tool,
    input: asked,
    signal,
    ...(outsidePath !== undefined && { outsidePath }),
    ...(special !== undefined && { special }),
    ...(tool.trust && { wanted: tool.trust }),
  });
  if (!verdict.allowed) throw new CausewayError('refused', verdict.reason);
  // The person may have changed the input: it is checked again.
  const input = verdict.input === asked ? asked : parts.inputCheck.check(tool.inputSchema, verdict.input);
  signal.throwIfAborted();
  using live = createLiveOutput((text) => whileRunning(parts.events, sessionId, { type: 'tool.output', callId, text }));
  // A yes is for the path that was shown; another one that the person wrote instead has not been looked at.
  const approvedOutside = verdict.byPerson && input['path'] === asked['path'] ? outsidePath : undefined;
  const context = {
    ...contextFor(parts, request, operator, live.write),
    ...(approvedOutside !== undefined && { approvedOutside }),
  };
  const work = (): Promise<ToolResult> => unlessAborted(tool.execute(input, context), signal);
  // Whoever runs a tool by hand is the one who would read its result first.
  if (!tool.trust?.holdResult || caller.kind === 'person') return await work();
  const hold = {
    desk: parts.desk,
    bound: (result: ToolResult) => boundResult(result, parts.capBytes(), parts.outputs),
    store: (result: ToolResult) => parts.blobs.storeResult(result),
  };
  return await holdResult(hold, { sessionId, callId, caller, signal }, await settle(work));
}

/** A tool that does not answer an abort within this time is left to itself, in milliseconds. */
const ABORT_GRACE_MS = 1000;

/** The tool's own result, also after an abort (it may hold output), unless it lets the abort pass unheard. */
async function unlessAborted(result: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  const { promise: abandoned, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => reject(signal.reason), ABORT_GRACE_MS);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([result, abandoned]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function recordStart(parts: GatewayParts, request: IdentifiedCall, tool: Tool | undefined): void {
  parts.events.append(request.sessionId, {
    type: 'tool.started',
    callId: request.callId,
    caller: request.caller,
    name: request.name,
    input: isJsonObject(request.input) ? request.input : {},
    ...(request.caller.kind === 'agent' && { runId: request.caller.runId }),
    ...(tool && { origin: tool.origin }),
    ...(tool?.title && { title: tool.title }),
    ...(tool?.annotations && { annotations: tool.annotations }),
  });
}

/** Gives the result as it may reach a model. One that the log can not take (disk full, database gone) says so. */
function recordEnd(parts: GatewayParts, { sessionId, callId, signal }: IdentifiedCall, whole: ToolResult): ToolResult {
  let result = whole;
  try {
    result = boundResult(whole, parts.capBytes(), parts.outputs);
    const { durationMs = 0 } = result;
    parts.events.append(sessionId, {
      type: 'tool.ended',
      callId,
      durationMs,
      result: parts.blobs.storeResult(result),
      ...(signal.aborted && { cancelled: true }),
    });
    return result;
  } catch (error) {
    const note = `The call has run, but its end could not be recorded. ${describeError(error)}`;
    return { ...result, system: [result.system, note].filter(Boolean).join('\n') };
  }
}

function contextFor(
  parts: GatewayParts,
  request: IdentifiedCall,
  operator: Operator,
  write: (text: string) => void,
): ToolContext {
  const { sessionId, callId, caller, signal, onProgress } = request;
  return {
    signal,
    callId,
    sessionId,
    caller,
    operator,
    output: {
      write,
      progress(progress) {
        whileRunning(parts.events, sessionId, { type: 'tool.progress', callId, ...progress });
        onProgress?.(progress);
      },
    },
    ask: (question) => parts.desk.ask({ sessionId, callId, signal }, question),
  };
}

/**
 * Records what is shown while a call runs. It comes from timers and streams, where nobody could catch an error; when the log
 * can not take it (a full disk), the recording of the result says so.
 */
function whileRunning(events: EventLog, sessionId: string, body: EventBody): void {
  try {
    events.append(sessionId, body);
  } catch {
    // Told at the end of the call.
  }
}

/** The path a built-in tool was given, when it leads outside the workspace. Attached servers have their own roots. */
async function findOutsidePath(tool: Tool, input: JsonObject, operator: Operator): Promise<string | undefined> {
  const path = input['path'];
  if (tool.origin.kind !== 'builtin' || typeof path !== 'string') return undefined;
  const location = await operator.locate(path);
  return location.inside ? undefined : location.real;
}

/** Whatever is thrown becomes a failed result. */
async function settle(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    return failure(describeError(error));
  }
}
