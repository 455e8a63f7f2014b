import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  CausewayError,
  describeError,
  isJsonObject,
  toolAnnotations,
  type ToolDefinition,
} from '../../../src-shared/index.ts';
import { lenient } from './lenient-client.ts';
import type { Limits } from './limits.ts';
import { headerParameters } from './parameter-headers.ts';

/** Loose: one tool that is odd must not take the page down with it. */
const page = lenient(z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() }));
const named = z.looseObject({ name: z.string().min(1) });
const icons = z.array(z.looseObject({ src: z.string() }));

/** A tool as its server describes it, under its own name. */
export type ServerTool = Omit<ToolDefinition, 'origin'>;

export interface ToolList {
  tools: ServerTool[];
  /** What is wrong with the list, in sentences. */
  problems: string[];
}

/**
 * Every page of a server's tools. What is odd is mended or left out, and said; pages without end are cut.
 * @throws CausewayError `timeout`, or the SDK's own errors.
 */
export async function listTools(
  client: Client,
  {
    limits,
    signal,
    overHttp,
  }: { limits: Pick<Limits, 'listMs' | 'pages' | 'tools'>; signal: AbortSignal; overHttp: boolean },
): Promise<ToolList> {
  if (!client.getServerCapabilities()?.tools) return { tools: [], problems: [] };
  const end = performance.now() + limits.listMs;
  const tools: ServerTool[] = [];
  const problems: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  let nameless = 0;
  for (let number = 1; ; number += 1) {
    const left = end - performance.now();
    if (left <= 0) throw listTooLate(limits.listMs);
    const found = await client.request(
      { method: 'tools/list', ...(cursor !== undefined && { params: { cursor } }) },
      page,
      { timeout: left, signal },
    );
    for (const value of found.tools) {
      const tool = readTool(value);
      if (tool) tools.push(tool);
      else nameless += 1;
    }
    cursor = found.nextCursor ?? undefined;
    if (cursor === undefined) break;
    if (seen.has(cursor) || number >= limits.pages || tools.length >= limits.tools) {
      problems.push(`Its list of tools has no end: only the first ${Math.min(tools.length, limits.tools)} are used.`);
      break;
    }
    seen.add(cursor);
  }
  if (nameless > 0) problems.push(`${nameless} of its tools have no name and can not be used.`);
  const usable = tools.slice(0, limits.tools);
  // On the older protocol, and over stdio, there are no such headers, and what is said of them means nothing.
  if (!overHttp || client.getProtocolEra() !== 'modern') return { tools: usable, problems };
  return { tools: usable.filter((tool) => hasUsableHeaders(tool, problems)), problems };
}

/** A client must leave out a tool whose headers are not as the protocol wants them (2026-07-28). */
function hasUsableHeaders(tool: ServerTool, problems: string[]): boolean {
  try {
    headerParameters(tool.inputSchema);
    return true;
  } catch (error) {
    problems.push(`Its tool "${tool.name}" can not be used: ${describeError(error)}.`);
    return false;
  }
}

/** What can be used is taken as it is, by reference; what is no tool at all is undefined. */
function readTool(value: unknown): ServerTool | undefined {
  const found = named.safeParse(value);
  if (!found.success) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations, icons: pictures, _meta } = found.data;
  return {
    name,
    description: typeof description === 'string' ? description : '',
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
    ...(typeof title === 'string' && { title }),
    ...(isJsonObject(outputSchema) && { outputSchema }),
    ...optional('annotations', toolAnnotations, annotations),
    ...optional('icons', icons, pictures),
    ...(isJsonObject(_meta) && { meta: _meta }),
  };
}

function optional<K extends string, T>(key: K, schema: z.ZodType<T>, value: unknown): { [P in K]?: T } {
  const parsed = schema.safeParse(value);
  const entry: { [P in K]?: T } = {};
  if (parsed.success) entry[key] = parsed.data;
  return entry;
}

function listTooLate(ms: number): CausewayError {
  return new CausewayError('timeout', `It did not list its tools within ${Math.round(ms / 1000)} seconds.`);
}
