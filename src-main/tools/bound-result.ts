import { text, type ContentPart, type ToolResult } from '../../src-shared/index.ts';
import type { OutputStore } from '../store/index.ts';
import { HEAD_SHARE, headOf, leftOutMarker, tailOf, type Kept } from './head-tail.ts';

/** A part of which less than this would be left, in bytes, tells nothing: of many parts the middle ones are left out whole. */
const SMALLEST_SHARE = 400;

/** A name or a title of a link that is longer than this, in characters, is none. */
const LONGEST_LABEL = 500;

/**
 * The result with at most about `capBytes` of text: each part that is longer than its share keeps head and tail, with a
 * marker between, and the whole is kept under a handle. Of very many parts the first and the last are kept. Structured content
 * is kept or left out as a whole, since half of it is not what its schema says. Media are untouched.
 */
export function boundResult(result: ToolResult, capBytes: number, outputs: OutputStore): ToolResult {
  if (result.truncation) return result;
  const lean = withoutHugeMeta(withShortLabels(result), capBytes);
  const texts = lean.content.map(textOf).filter((text) => text !== undefined);
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const structured = JSON.stringify(lean.structuredContent ?? null);
  const isStructureCut = Buffer.byteLength(structured) > capBytes;
  if (textBytes <= capBytes && !isStructureCut) return lean;
  const writer = outputs.create();
  writer.write([...texts, ...(isStructureCut ? [structured] : [])].map((text) => Buffer.from(`${text}\n`)));
  writer.close();
  const content = textBytes <= capBytes ? [...lean.content] : boundTexts(lean.content, texts.length, capBytes, writer);
  if (isStructureCut) content.push(text(`structured content: ${leftOutMarker(Buffer.byteLength(structured), writer)}`));
  const shownBytes = content.reduce((sum, part) => sum + Buffer.byteLength(textOf(part) ?? ''), 0);
  const { structuredContent, ...rest } = lean;
  return {
    ...rest,
    ...(structuredContent && !isStructureCut && { structuredContent }),
    content,
    truncation: { handle: writer.handle, totalBytes: writer.totalBytes, shownBytes },
  };
}

function boundTexts(parts: readonly ContentPart[], count: number, capBytes: number, kept: Kept): ContentPart[] {
  const shown = Math.min(count, Math.max(2, Math.floor(capBytes / SMALLEST_SHARE)));
  const share = Math.floor(capBytes / shown);
  return withoutMiddle(parts, shown, kept).map((part) => boundPart(part, share, kept));
}

/** What a link is called is no place for a text. */
function withShortLabels(result: ToolResult): ToolResult {
  const isLong = (part: ContentPart): boolean =>
    part.type === 'resource_link' &&
    [part.name, part.title, part.description].some((label) => label !== undefined && label.length > LONGEST_LABEL);
  return result.content.some(isLong) ? { ...result, content: result.content.map(shortenLabels) } : result;
}

function shortenLabels(part: ContentPart): ContentPart {
  if (part.type !== 'resource_link') return part;
  const { name, title, description } = part;
  return {
    ...part,
    name: shorten(name),
    ...(title !== undefined && { title: shorten(title) }),
    ...(description !== undefined && { description: shorten(description) }),
  };
}

function shorten(label: string): string {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL)}…` : label;
}

/** `_meta` is for programs, which get the result from the server itself; the log does not take any amount of it. */
function withoutHugeMeta(result: ToolResult, capBytes: number): ToolResult {
  if (!result.meta || Buffer.byteLength(JSON.stringify(result.meta)) <= capBytes) return result;
  const { meta: _meta, ...rest } = result;
  return rest;
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
