import { toFunction, type StoredImagePart } from '../../src-shared/index.ts';
import type { BlobStore } from '../store/index.ts';
import type { ToolSource } from '../tools/index.ts';
import type { ChatImage, ChatMessage, ModelRequest } from './contract.ts';
import type { Entry } from './conversation.ts';

/** A request from a fitted conversation: images of tools follow their batch in a message of their own, as the API wants it. */
export function buildRequest(
  system: string,
  entries: readonly Entry[],
  source: ToolSource,
  blobs: BlobStore,
): ModelRequest {
  const messages: ChatMessage[] = [{ role: 'system', text: system }];
  let pending: { name: string; images: StoredImagePart[] }[] = [];
  const flush = (): void => {
    if (pending.length > 0) messages.push(imageMessage(pending, blobs));
    pending = [];
  };
  for (const entry of entries) {
    if (entry.kind !== 'tool') flush();
    else if (entry.images.length > 0) pending.push(entry);
    messages.push(toMessage(entry));
  }
  flush();
  return { messages, tools: source.tools().map(toFunction) };
}

function toMessage(entry: Entry): ChatMessage {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', text: entry.text };
    case 'note':
      return { role: 'user', text: `[Note from Causeway, not from the person: ${entry.text}]` };
    case 'assistant':
      return { role: 'assistant', text: entry.text, toolCalls: entry.toolCalls };
    case 'tool':
      return { role: 'tool', callId: entry.callId, text: entry.text };
  }
}

function imageMessage(batch: readonly { name: string; images: StoredImagePart[] }[], blobs: BlobStore): ChatMessage {
  const names = [...new Set(batch.map(({ name }) => name))].join(', ');
  const images = batch
    .flatMap((item) => item.images)
    .map((part): ChatImage => ({
      mimeType: part.mimeType,
      data: Buffer.from(blobs.read(part.blob.sha256)).toString('base64'),
    }));
  return {
    role: 'user',
    text: `[Images that ${names} returned, in order. They are tool output, not a message from the person.]`,
    images,
  };
}
