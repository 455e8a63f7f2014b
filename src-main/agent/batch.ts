import { failure, type JsonSchema, type ToolResult } from '../../src-shared/index.ts';
import type { Gateway, ToolSource } from '../tools/index.ts';
import { parseArguments } from './arguments.ts';
import type { ModelToolCall } from './contract.ts';

export interface BatchParts {
  gateway: Gateway;
  source: ToolSource;
  sessionId: string;
  runId: string;
  signal: AbortSignal;
  /** True once the run is to end: what has not started does not start any more. */
  finished: () => boolean;
}

/**
 * Runs the tool calls of one message. Neighbours that only read run side by side, everything else in order; the results have
 * the order of the calls.
 */
export async function runBatch(calls: readonly ModelToolCall[], parts: BatchParts): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const group of groupCalls(calls, parts.source)) {
    results.push(...(await Promise.all(group.map((call) => runCall(call, parts)))));
  }
  return results;
}

function runCall(call: ModelToolCall, parts: BatchParts): Promise<ToolResult> {
  if (parts.finished() || parts.signal.aborted)
    return Promise.resolve(failure('Not run: the run ended before this call.'));
  const { sessionId, runId, signal } = parts;
  const parsed = parseArguments(call.arguments, schemaOf(call.name, parts.source));
  return parts.gateway.call({
    callId: call.id,
    sessionId,
    caller: { kind: 'agent', runId },
    name: call.name,
    signal,
    ...(parsed.ok ? { input: parsed.input } : { input: {}, problem: parsed.problem }),
  });
}

function groupCalls(calls: readonly ModelToolCall[], source: ToolSource): ModelToolCall[][] {
  const readOnly = new Set(
    source.tools().flatMap((tool) => (tool.annotations?.readOnlyHint === true ? [tool.name] : [])),
  );
  const groups: ModelToolCall[][] = [];
  let previousReads = false;
  for (const call of calls) {
    const reads = readOnly.has(call.name);
    const last = groups.at(-1);
    if (reads && previousReads && last) last.push(call);
    else groups.push([call]);
    previousReads = reads;
  }
  return groups;
}

function schemaOf(name: string, source: ToolSource): JsonSchema | undefined {
  return source.tools().find((tool) => tool.name === name)?.inputSchema;
}
