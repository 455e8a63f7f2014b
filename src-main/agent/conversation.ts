import {
  toText,
  type EventOf,
  type SessionEvent,
  type StoredImagePart,
  type StoredResult,
} from '../../src-shared/index.ts';
import type { ModelToolCall } from './contract.ts';
import { attachmentImages, quoteAttachments } from './attachments.ts';
import { effectiveEvents } from './rewind.ts';

/** One thing said in a session, in the order in which a model must see it. */
export type Entry =
  | { kind: 'user'; text: string; images?: StoredImagePart[] }
  | { kind: 'note'; text: string }
  | { kind: 'assistant'; text: string; toolCalls: ModelToolCall[] }
  | { kind: 'tool'; callId: string; name: string; text: string; images: StoredImagePart[] };

/** What is told to a model of a call whose end was never recorded. */
const LOST = 'This call was interrupted; what it did up to then is unknown.';

/**
 * A session's log as a conversation. Every tool call of an assistant message is followed by its result, in the order of the
 * calls, also where a result was never recorded: no endpoint takes a call without its result.
 */
export function readConversation(log: readonly SessionEvent[]): Entry[] {
  const events = effectiveEvents(log);
  const results = new Map<string, StoredResult>();
  for (const event of events) if (event.type === 'tool.ended') results.set(event.callId, event.result);
  return events.flatMap((event) => entriesOf(event, results));
}

function entriesOf(event: SessionEvent, results: ReadonlyMap<string, StoredResult>): Entry[] {
  switch (event.type) {
    case 'message.user':
      return [userEntry(event)];
    case 'note':
      return [{ kind: 'note', text: event.text }];
    case 'message.assistant':
      // No endpoint takes a message of the model that says nothing at all.
      if (event.text === '' && event.toolCalls.length === 0) return [];
      return [
        { kind: 'assistant', text: event.text, toolCalls: event.toolCalls },
        ...event.toolCalls.map((call) => toolEntry(call, results.get(call.id))),
      ];
    case 'edit.recorded':
      return undoneByHand(event);
    default:
      return [];
  }
}

function userEntry({ text, attachments = [] }: EventOf<'message.user'>): Entry {
  const images = attachmentImages(attachments);
  return { kind: 'user', text: text + quoteAttachments(attachments), ...(images.length > 0 && { images }) };
}

/** Untold, the model would go on with a file that is not what it left. An undo in a call of its own has that call's result. */
function undoneByHand({ kind, path, callId }: EventOf<'edit.recorded'>): Entry[] {
  if (callId !== undefined || (kind !== 'undo' && kind !== 'redo')) return [];
  const what = kind === 'undo' ? 'took back an earlier edit' : 'did an edit that was taken back once more';
  return [{ kind: 'note', text: `The person ${what} of ${path}. View the file before you change it.` }];
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
