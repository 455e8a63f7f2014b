import type { Client } from '@modelcontextprotocol/client';
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
import type { Limits } from './limits.ts';

/** Loose: a part of a kind that nobody knows yet must not cost the parts beside it. */
const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().nullish(),
  _meta: z.unknown().optional(),
});

export interface ToolCall {
  server: string;
  /** The tool's name as its server knows it. */
  tool: string;
  input: JsonObject;
  limits: Pick<Limits, 'callIdleMs' | 'callTotalMs'>;
}

/**
 * One `tools/call`: sent once and never again. When `context.signal` aborts or time is up, the server is told so.
 * @throws CausewayError `cancelled`, `timeout`, or the SDK's own errors.
 */
export async function callTool(
  client: Client,
  { server, tool, input, limits }: ToolCall,
  context: Pick<ToolContext, 'signal' | 'output'>,
): Promise<ToolResult> {
  const { signal } = context;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal.reason);
  if (signal.aborted) throw cancelled(tool, signal);
  signal.addEventListener('abort', onAbort, { once: true });
  // The SDK's own total limit would end the call here without telling the server.
  const timer = setTimeout(() => stop.abort(new Error('time is up')), limits.callTotalMs);
  try {
    const result = await client.request(
      { method: 'tools/call', params: { name: tool, arguments: input } },
      callResult,
      {
        signal: stop.signal,
        timeout: Math.min(limits.callIdleMs, limits.callTotalMs),
        resetTimeoutOnProgress: true,
        onprogress: ({ progress, total, message }) =>
          context.output.progress({
            progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message }),
          }),
      },
    );
    return toResult(result);
  } catch (error) {
    if (signal.aborted) throw cancelled(tool, signal);
    if (stop.signal.aborted) throw tooLong(server, tool, limits.callTotalMs);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
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

function tooLong(server: string, tool: string, ms: number): CausewayError {
  return new CausewayError(
    'timeout',
    `The tool "${tool}" of the server "${server}" was not done after ${Math.round(ms / 1000)} seconds; the call was cancelled.`,
    { hint: 'It may have had effects all the same.' },
  );
}
