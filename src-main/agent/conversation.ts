import { toText, type SessionEvent, type StoredImagePart, type StoredResult } from '../../src-shared/index.ts';
import type { ModelToolCall } from './contract.ts';

/** One thing said in a session, in the order in which a model must see it. */
export type Entry =
  | { kind: 'user'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'assistant'; text: string; toolCalls: ModelToolCall[] }
  | { kind: 'tool'; callId: string; name: string; text: string; images: StoredImagePart[] };

/** What is told to a model of a call whose end was never recorded. */
const LOST = 'This call was interrupted; what it did up to then is unknown.';

/**
 * A session's log as a conversation. Every tool call of an assistant message is followed by its result, in the order of the
 * calls, also where a result was never recorded: no endpoint takes a call without its result.
 */
export function readConversation(events: readonly SessionEvent[]): Entry[] {
  const results = new Map<string, StoredResult>();
  for (const event of events) if (event.type === 'tool.ended') results.set(event.callId, event.result);
  return events.flatMap((event): Entry[] => {
    switch (event.type) {
      case 'message.user':
        return [{ kind: 'user', text: event.text }];
      case 'note':
        return [{ kind: 'note', text: event.text }];
      case 'message.assistant':
        return [
          { kind: 'assistant', text: event.text, toolCalls: event.toolCalls },
          ...event.toolCalls.map((call) => toolEntry(call, results.get(call.id))),
        ];
      default:
        return [];
    }
  });
}

/** A tool's result as a model sees it: text, and images beside it. */
export function toolEntry(call: ModelToolCall, result: StoredResult | undefined): Entry {
  if (!result) return { kind: 'tool', callId: call.id, name: call.name, text: LOST, images: [] };
  const text =
    toText(result) || (result.isError ? 'The tool failed without saying why.' : 'Done; there was no output.');
  return {
    kind: 'tool',
    callId: call.id,
    name: call.name,
    text: result.isError ? `Error: ${text}` : text,
    images: result.content.filter((part) => part.type === 'image'),
  };
}
