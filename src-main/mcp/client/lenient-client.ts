import { Client, isJSONRPCResultResponse, type JSONRPCResponse } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { isJsonObject } from '../../../src-shared/index.ts';

/** Lists that may have an odd entry, by the name that a result gives them. */
const LISTS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'content'] as const;
/** Where such a result is while the SDK looks at what carries it. */
const HELD = 'causeway/held';

/**
 * The SDK's client, but on the new protocol it passes on what the SDK would refuse as a whole: a result that does not say what kind
 * it is counts as a complete one (2026-07-28, "Multi Round-Trip Requests"), and a list in which one entry is not as it should be
 * reaches whoever asked, with {@link lenient}. Else one odd tool would cost all tools, and one odd part the result of a call that
 * has run. Of `tools/list`, `tools/call`, `resources/list` and `prompts/list` the SDK's own methods get empty lists therefore.
 */
export class LenientClient extends Client {
  protected override _onresponse(response: JSONRPCResponse): void {
    const modern = this.getProtocolEra() === 'modern' && isJSONRPCResultResponse(response);
    super._onresponse(modern ? { ...response, result: hold(response.result) } : response);
  }
}

/** The schema, for a result that {@link LenientClient} passes on. */
export function lenient<S extends z.ZodType>(schema: S): z.ZodPreprocess<S> {
  return z.preprocess((result) => (isJsonObject(result) && HELD in result ? result[HELD] : result), schema);
}

function hold(result: Record<string, unknown>): Record<string, unknown> {
  const { resultType = 'complete' } = result;
  const lists = resultType === 'complete' ? LISTS.filter((name) => Array.isArray(result[name])) : [];
  if (lists.length === 0) return { ...result, resultType };
  const { resultType: _kind, ...whole } = result;
  return {
    ...{ resultType, ttlMs: 0, cacheScope: 'private' },
    ...Object.fromEntries(lists.map((name) => [name, []])),
    [HELD]: whole,
  };
}
