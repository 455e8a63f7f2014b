import { z } from 'zod';
import { contentPart, storedPart, text, type ContentPart } from './content.ts';
import type { JsonObject } from './json.ts';

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Says that `content` is not all there was, and where the whole can be read. Sizes in bytes. */
export const truncation = z.object({
  /** Names the whole output for `output.page` and `output.search`. */
  handle: z.string(),
  totalBytes: z.number().int().nonnegative(),
  shownBytes: z.number().int().nonnegative(),
});
export type Truncation = z.infer<typeof truncation>;

const resultFields = {
  isError: z.boolean(),
  structuredContent: jsonObject.optional(),
  /** A note from Causeway to the model (not from the tool): "the shell was restarted". */
  system: z.string().optional(),
  /** MCP `_meta`, carried through unread. */
  meta: jsonObject.optional(),
  durationMs: z.number().nonnegative().optional(),
  truncation: truncation.optional(),
};

/** What a tool gives back: ordered parts, and whether it failed. Nothing is ever dropped: an error keeps the output before it. */
export const toolResult = z.object({ content: z.array(contentPart), ...resultFields });
export type ToolResult = z.infer<typeof toolResult>;

/** A tool result as the event log keeps it: media are references into the blob store. */
export const storedResult = z.object({ content: z.array(storedPart), ...resultFields });
export type StoredResult = z.infer<typeof storedResult>;

/** A successful result. A string becomes one text part. */
export function success(
  content: string | ContentPart[],
  extra: Partial<Omit<ToolResult, 'content' | 'isError'>> = {},
): ToolResult {
  return {
    content: typeof content === 'string' ? (content ? [text(content)] : []) : content,
    isError: false,
    ...extra,
  };
}

/** A failed result. A string becomes one text part. */
export function failure(
  content: string | ContentPart[],
  extra: Partial<Omit<ToolResult, 'content' | 'isError'>> = {},
): ToolResult {
  return { ...success(content, extra), isError: true };
}

/** True when the result carries anything at all (the seed's truthiness). */
export function hasContent(result: ToolResult): boolean {
  return (
    result.content.some((part) => part.type !== 'text' || part.text !== '') ||
    result.structuredContent !== undefined ||
    Boolean(result.system)
  );
}

/**
 * Both results as one, in order. Every part is kept (all images too); it failed if either did. Structured content is merged
 * key by key, the later one winning; durations add up; system notes are joined by a line break.
 */
export function combine(first: ToolResult, second: ToolResult): ToolResult {
  const structured =
    first.structuredContent || second.structuredContent
      ? { ...first.structuredContent, ...second.structuredContent }
      : undefined;
  const meta = first.meta || second.meta ? { ...first.meta, ...second.meta } : undefined;
  const system = [first.system, second.system].filter(Boolean).join('\n');
  const durationMs =
    first.durationMs === undefined && second.durationMs === undefined
      ? undefined
      : (first.durationMs ?? 0) + (second.durationMs ?? 0);
  const cut = second.truncation ?? first.truncation;
  return {
    content: [...first.content, ...second.content],
    isError: first.isError || second.isError,
    ...(structured && { structuredContent: structured }),
    ...(meta && { meta }),
    ...(system && { system }),
    ...(durationMs !== undefined && { durationMs }),
    ...(cut && { truncation: cut }),
  };
}

/** The result as plain text for a model or a terminal: text in order, media and links named in brackets. Errors never hide output. */
export function toText(result: {
  content: readonly (ContentPart | z.infer<typeof storedPart>)[];
  system?: string | undefined;
}): string {
  const lines = result.content.map((part) => partText(part));
  if (result.system) lines.push(`[${result.system}]`);
  return lines.join('\n');
}

function partText(part: ContentPart | z.infer<typeof storedPart>): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return `[image: ${part.mimeType}]`;
    case 'audio':
      return `[audio: ${part.mimeType}]`;
    case 'resource':
      return part.resource.text ?? `[resource: ${part.resource.uri}]`;
    case 'resource_link':
      return `[link: ${part.title ?? part.name} <${part.uri}>]`;
  }
}
