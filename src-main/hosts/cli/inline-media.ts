import type { SessionEvent, ToolResult } from '../../../src-shared/index.ts';
import type { BlobStore } from '../../store/index.ts';

/** An event that stands on its own: pictures and sounds are in it, as MCP content parts in base64. */
export type WholeEvent = Exclude<SessionEvent, { type: 'tool.ended' }> | WholeToolEnded;
type WholeToolEnded = Omit<Extract<SessionEvent, { type: 'tool.ended' }>, 'result'> & { result: ToolResult };

/** Puts the media of an event back in, for readers that have no blob store. */
export function inlineMedia(event: SessionEvent, blobs: BlobStore): WholeEvent {
  return event.type === 'tool.ended' ? { ...event, result: blobs.loadResult(event.result) } : event;
}
