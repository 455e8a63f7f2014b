import {
  cleanName,
  findHidden,
  isJsonObject,
  toFunction,
  withoutHidden,
  type FunctionTool,
  type StoredImagePart,
} from '../../src-shared/index.ts';
import type { BlobStore } from '../store/index.ts';
import type { Tool, ToolSource } from '../tools/index.ts';
import type { ChatImage, ChatMessage, ModelRequest, ModelToolCall } from './contract.ts';
import type { Entry } from './conversation.ts';
import { imageType } from './image-type.ts';

/** A request from a fitted conversation: images of tools follow their batch in a message of their own, as the API wants it. */
export function buildRequest(
  { system, notes }: { system: string; notes: string | undefined },
  entries: readonly Entry[],
  source: ToolSource,
  blobs: BlobStore,
): ModelRequest {
  const messages: ChatMessage[] = [{ role: 'system', text: system }];
  // What servers say of themselves has no more authority than what their tools give.
  if (notes !== undefined) messages.push({ role: 'user', text: notes });
  let pending: { name: string; images: StoredImagePart[] }[] = [];
  const flush = (): void => {
    if (pending.length > 0) messages.push(imageMessage(pending, blobs));
    pending = [];
  };
  for (const entry of entries) {
    if (entry.kind !== 'tool') flush();
    else if (entry.images.length > 0) pending.push(entry);
    messages.push(toMessage(entry, blobs));
  }
  flush();
  return { messages, tools: source.tools().map(asFunction) };
}

const functions = new WeakMap<Tool, FunctionTool>();

/** The tool for a model, which reads characters that people do not see: those are left out. */
function asFunction(tool: Tool): FunctionTool {
  const known = functions.get(tool);
  if (known) return known;
  const plain = toFunction(tool);
  const json = JSON.stringify(plain);
  const made = findHidden(json).length === 0 ? plain : asRead(plain, withoutHidden(json));
  functions.set(tool, made);
  return made;
}

function asRead(plain: FunctionTool, json: string): FunctionTool {
  const { description, parameters } = (JSON.parse(json) as FunctionTool).function;
  return { ...plain, function: { name: plain.function.name, description, parameters } };
}

function toMessage(entry: Entry, blobs: BlobStore): ChatMessage {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', text: entry.text, ...imagesOf(entry.images, blobs) };
    case 'note':
      return { role: 'user', text: `[Note from Causeway, not from the person: ${entry.text}]` };
    case 'assistant':
      return { role: 'assistant', text: entry.text, toolCalls: entry.toolCalls.map(acceptable) };
    case 'tool':
      return { role: 'tool', callId: entry.callId, text: entry.text };
  }
}

/** The call as every endpoint takes it back: some refuse a history that holds a strange name or broken JSON. */
function acceptable(call: ModelToolCall): ModelToolCall {
  return { ...call, name: cleanName(call.name), arguments: isJsonObjectText(call.arguments) ? call.arguments : '{}' };
}

function isJsonObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function imageMessage(batch: readonly { name: string; images: StoredImagePart[] }[], blobs: BlobStore): ChatMessage {
  const names = [...new Set(batch.map(({ name }) => name))].join(', ');
  const stored = batch.flatMap((item) => item.images);
  const images = stored.map((part) => readImage(part, blobs)).filter((image) => image !== undefined);
  const omitted = stored.length - images.length;
  const note = omitted === 0 ? '' : ` ${omitted} of them can not be shown here.`;
  return {
    role: 'user',
    text: `[Images that ${names} returned, in order. They are tool output, not a message from the person.${note}]`,
    images,
  };
}

function imagesOf(stored: readonly StoredImagePart[] = [], blobs: BlobStore): { images?: ChatImage[] } {
  const images = stored.map((part) => readImage(part, blobs)).filter((image) => image !== undefined);
  return images.length > 0 ? { images } : {};
}

/** With the type that the bytes have, whatever the tool said; undefined when no model takes it, or it is stored no more. */
function readImage(part: StoredImagePart, blobs: BlobStore): ChatImage | undefined {
  let bytes: Uint8Array;
  try {
    bytes = blobs.read(part.blob.sha256);
  } catch {
    return undefined;
  }
  const data = Buffer.from(bytes).toString('base64');
  const mimeType = imageType(data);
  return mimeType === undefined ? undefined : { data, mimeType };
}
