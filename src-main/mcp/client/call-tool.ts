import type { Client, LoggingLevel } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  CausewayError,
  contentPart,
  isJsonObject,
  text,
  type ContentPart,
  type JsonObject,
  type ToolResult,
} from '../../../src-shared/index.ts';
import type { ToolContext } from '../../tools/index.ts';
import { describeMisfit } from './check-output.ts';
import { lenient } from './lenient-client.ts';
import type { Limits } from './limits.ts';
import type { ServerTool } from './list-tools.ts';
import { logMeta } from './notices.ts';
import { headerParameters, parameterHeaders } from './parameter-headers.ts';
import { askForPages, createCallClock, requestWithInput, type RequestSide } from './requests/index.ts';

/** Time is kept by a clock of our own, which stands still while a person is asked: the SDK's may not end a call, in milliseconds. */
const NEVER_MS = 2 ** 31 - 1;

/** Loose: a part of a kind that nobody knows yet must not cost the parts beside it. */
const callResult = lenient(
  z.looseObject({
    content: z.array(z.unknown()).default([]),
    structuredContent: z.unknown().optional(),
    isError: z.boolean().nullish(),
    _meta: z.unknown().optional(),
  }),
);

export interface ToolCall {
  server: string;
  /** As its server describes it. */
  tool: Pick<ServerTool, 'name' | 'inputSchema' | 'outputSchema'>;
  input: JsonObject;
  limits: Pick<Limits, 'callIdleMs' | 'callTotalMs'>;
  /** Who answers what the server asks meanwhile. */
  requests: RequestSide;
  /** From which level on the server is to send its log. */
  level: LoggingLevel;
}

/** What a call needs of what its tool is given. */
export type CallContext = Pick<ToolContext, 'signal' | 'output' | 'sessionId' | 'callId'>;

/**
 * One `tools/call`: sent once, and again only with answers that the server asked for. When `context.signal` aborts or time is up,
 * the server is told so.
 * @throws CausewayError `cancelled`, `timeout`, or the SDK's own errors.
 */
export async function callTool(
  client: Client,
  { server, tool, input, limits, requests, level }: ToolCall,
  context: CallContext,
): Promise<ToolResult> {
  const { signal, sessionId, callId } = context;
  if (signal.aborted) throw cancelled(tool.name, signal);
  using clock = createCallClock({ idleMs: limits.callIdleMs, totalMs: limits.callTotalMs, signal });
  const stop = clock.signal;
  const call = { sessionId, callId, clock, signal: stop };
  using _running = requests.begin(call);
  try {
    const result = await requestWithInput(
      client,
      { method: 'tools/call', params: { name: tool.name, arguments: input, ...logMeta(client, level) } },
      callResult,
      {
        signal: stop,
        timeout: NEVER_MS,
        onprogress({ progress, total, message }) {
          clock.beat();
          context.output.progress({
            progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          });
        },
        ...(client.getProtocolEra() === 'modern' && {
          headers: parameterHeaders(headerParameters(tool.inputSchema), input),
        }),
      },
      requests.answerFor(call, stop),
    );
    return withMisfit(toResult(result), describeMisfit(tool.outputSchema, result));
  } catch (error) {
    const asked = await askForPages(error, requests.answerFor(call, stop));
    if (asked && !stop.aborted) return asked;
    if (signal.aborted) throw cancelled(tool.name, signal);
    if (clock.late === 'idle') throw tooQuiet(server, tool.name, limits.callIdleMs);
    if (clock.late === 'total') throw tooLong(server, tool.name, limits.callTotalMs);
    throw error;
  }
}

/** What does not fit is given all the same, and said. */
function withMisfit(result: ToolResult, misfit: string | undefined): ToolResult {
  return misfit === undefined ? result : { ...result, system: misfit };
}

/** The result as the server gave it: every part in order, nothing left out. */
export function toResult(result: z.output<typeof callResult>): ToolResult {
  const { content, structuredContent, isError, _meta } = result;
  return {
    content: content.map((part) => toPart(part)),
    isError: isError === true,
    // Since 2026-07-28 this may be any JSON value; ours is an object, as the older protocol has it.
    ...(structuredContent !== undefined && {
      structuredContent: isJsonObject(structuredContent)
        ? structuredContent
        : { result: z.json().parse(structuredContent) },
    }),
    ...(isJsonObject(_meta) && { meta: _meta }),
  };
}

/** Parts of an unknown kind are shown as the JSON they came as. */
function toPart(value: unknown): ContentPart {
  const part = contentPart.safeParse(value);
  return part.success ? part.data : text(JSON.stringify(value) ?? '');
}

function cancelled(tool: string, signal: AbortSignal): CausewayError {
  return new CausewayError('cancelled', `The call of "${tool}" was stopped.`, { cause: signal.reason });
}

function tooQuiet(server: string, tool: string, ms: number): CausewayError {
  return new CausewayError(
    'timeout',
    `The tool "${tool}" of the server "${server}" gave no sign of life for ${Math.round(ms / 1000)} seconds; the call was cancelled.`,
    { hint: 'It may have had effects all the same.' },
  );
}

function tooLong(server: string, tool: string, ms: number): CausewayError {
  return new CausewayError(
    'timeout',
    `The tool "${tool}" of the server "${server}" was not done after ${Math.round(ms / 1000)} seconds; the call was cancelled.`,
    { hint: 'It may have had effects all the same.' },
  );
}
