import type { ContentPart, ToolResult } from '../../src-shared/index.ts';
import type { OutputStore } from '../store/index.ts';

/** Share of the cap that goes to the beginning; the rest goes to the end, where errors and totals stand. */
const HEAD_SHARE = 0.6;

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
  const bytes = Buffer.from(text);
  const head = wholeCharacters(bytes.subarray(0, Math.floor(share * HEAD_SHARE)));
  const tail = wholeCharacters(bytes.subarray(bytes.length - Math.floor(share * (1 - HEAD_SHARE))));
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n[… ${left} bytes left out; read them with read_output, handle ${handle} …]\n${tail}`;
}

/** Decoded without the halves of a character at the ends. */
function wholeCharacters(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFFFD+|\uFFFD+$/g, '');
}
