import type OpenAI from 'openai';
import type { ModelToolCall } from '../contract.ts';

type Delta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall;

/** Puts streamed tool calls together: pieces of one call share an index; id and name come once, arguments in pieces. */
export function createToolCallAssembler(): { add(delta: Delta): void; calls(): ModelToolCall[] } {
  const byIndex = new Map<number, ModelToolCall>();
  return {
    add(delta) {
      // Some endpoints leave the index out when there is one call only.
      const index = typeof delta.index === 'number' ? delta.index : byIndex.size;
      const call = byIndex.get(index) ?? { id: '', name: '', arguments: '' };
      byIndex.set(index, {
        id: call.id || delta.id || '',
        name: call.name || delta.function?.name || '',
        arguments: call.arguments + (delta.function?.arguments ?? ''),
      });
    },
    calls: () => [...byIndex.entries()].sort(([a], [b]) => a - b).map(([, call]) => call),
  };
}
