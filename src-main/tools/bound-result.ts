import type { ContentPart, ToolResult } from '../../src-shared/index.ts';
import type { OutputStore } from '../store/index.ts';
import { HEAD_SHARE, headOf, leftOutMarker, tailOf, type Kept } from './head-tail.ts';

/** A part of which less than this would be left, in bytes, tells nothing: of many parts the middle ones are left out whole. */
const SMALLEST_SHARE = 400;

/**
 * The result with at most about `capBytes` of text: each part that is longer than its share keeps head and tail, with a
 * marker between, and the whole is kept under a handle. Of very many parts the first and the last are kept. Media and
 * structured content are untouched.
 */
export function boundResult(result: ToolResult, capBytes: number, outputs: OutputStore): ToolResult {
  const texts = result.content.map(textOf).filter((text) => text !== undefined);
  const totalBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (totalBytes <= capBytes || result.truncation) return result;
  const writer = outputs.create();
  writer.write(texts.map((text) => Buffer.from(`${text}\n`)));
  writer.close();
  const shown = Math.min(texts.length, Math.max(2, Math.floor(capBytes / SMALLEST_SHARE)));
  const share = Math.floor(capBytes / shown);
  const content = withoutMiddle(result.content, shown, writer).map((part) => boundPart(part, share, writer));
  const shownBytes = content.reduce((sum, part) => sum + Buffer.byteLength(textOf(part) ?? ''), 0);
  return { ...result, content, truncation: { handle: writer.handle, totalBytes: writer.totalBytes, shownBytes } };
}

/** The parts with only `most` of those that are text: the others of them become one marker. */
function withoutMiddle(content: readonly ContentPart[], most: number, kept: Kept): ContentPart[] {
  const texts = content.filter((part) => textOf(part) !== undefined);
  const first = Math.ceil(most * HEAD_SHARE);
  const middle = new Set(texts.slice(first, texts.length - (most - first)));
  const [marked] = middle;
  const bytes = [...middle].reduce((sum, part) => sum + Buffer.byteLength(textOf(part) ?? ''), 0);
  return content.flatMap((part): ContentPart[] => {
    if (part === marked) return [{ type: 'text', text: leftOutMarker(bytes, kept) }];
    return middle.has(part) ? [] : [part];
  });
}

function textOf(part: ContentPart): string | undefined {
  if (part.type === 'text') return part.text;
  return part.type === 'resource' ? part.resource.text : undefined;
}

function boundPart(part: ContentPart, share: number, kept: Kept): ContentPart {
  const text = textOf(part);
  if (text === undefined || Buffer.byteLength(text) <= share) return part;
  const cut = headAndTail(text, share, kept);
  if (part.type === 'resource') return { ...part, resource: { ...part.resource, text: cut } };
  return { ...part, type: 'text', text: cut };
}

function headAndTail(text: string, share: number, kept: Kept): string {
  const head = headOf(text, Math.floor(share * HEAD_SHARE));
  const tail = tailOf(text, Math.floor(share * (1 - HEAD_SHARE)));
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n${leftOutMarker(left, kept)}\n${tail}`;
}
