import type { ContentPart, ToolResult } from '../../src-shared/index.ts';
import type { OutputStore } from '../store/index.ts';
import { HEAD_SHARE, headOf, leftOutMarker, tailOf } from './head-tail.ts';

/**
 * The result with at most about `capBytes` of text: each part that is longer than its share keeps head and tail, with a
 * marker between, and the whole is kept under a handle. Media and structured content are untouched.
 */
export function boundResult(result: ToolResult, capBytes: number, outputs: OutputStore): ToolResult {
  const texts = result.content.map(textOf).filter((text) => text !== undefined);
  const totalBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (totalBytes <= capBytes || result.truncation) return result;
  const writer = outputs.create();
  for (const text of texts) writer.write(Buffer.from(`${text}\n`));
  writer.close();
  const share = Math.floor(capBytes / texts.length);
  const content = result.content.map((part) => boundPart(part, share, writer.handle));
  const shownBytes = content.reduce((sum, part) => sum + Buffer.byteLength(textOf(part) ?? ''), 0);
  return { ...result, content, truncation: { handle: writer.handle, totalBytes: writer.totalBytes, shownBytes } };
}

function textOf(part: ContentPart): string | undefined {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' ? part.resource.text : undefined;
}

function boundPart(part: ContentPart, share: number, handle: string): ContentPart {
  const text = textOf(part);
  if (text === undefined || Buffer.byteLength(text) <= share) return part;
  const cut = headAndTail(text, share, handle);
  if (part.type === 'resource') return { ...part, resource: { ...part.resource, text: cut } };
  return { ...part, type: 'text', text: cut };
}

function headAndTail(text: string, share: number, handle: string): string {
  const head = headOf(text, Math.floor(share * HEAD_SHARE));
  const tail = tailOf(text, Math.floor(share * (1 - HEAD_SHARE)));
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n${leftOutMarker(left, handle)}\n${tail}`;
}
