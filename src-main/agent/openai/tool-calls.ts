import type OpenAI from 'openai';
import type { ModelToolCall } from '../contract.ts';

type Delta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall;

/**
 * Puts streamed tool calls together: pieces of one call share an index; id and name come once, arguments in pieces. Endpoints
 * that leave the index out, or repeat it for the next call, still give each call an id of its own.
 */
export function createToolCallAssembler(): { add(delta: Delta): void; calls(): ModelToolCall[] } {
  const calls: ModelToolCall[] = [];
  const byIndex = new Map<number, ModelToolCall>();

  function callOf(index: number, id: string | undefined): ModelToolCall {
    const known = byIndex.get(index);
    if (known && (!id || !known.id || known.id === id)) return known;
    const call: ModelToolCall = { id: '', name: '', arguments: '' };
    byIndex.set(index, call);
    calls.push(call);
    return call;
  }

  return {
    add(delta) {
      const index = typeof delta.index === 'number' ? delta.index : 0;
      const call = callOf(index, delta.id);
      call.id ||= delta.id ?? '';
      call.name ||= delta.function?.name ?? '';
      call.arguments += delta.function?.arguments ?? '';
    },
    calls: () => calls,
  };
}
