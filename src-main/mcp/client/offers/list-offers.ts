import { UriTemplate, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  isJsonObject,
  serverPrompt,
  serverResource,
  serverTemplate,
  type ServerOffers,
} from '../../../../src-shared/index.ts';
import { lenient } from '../lenient-client.ts';
import type { Limits } from '../limits.ts';

type ListMethod = 'resources/list' | 'resources/templates/list' | 'prompts/list';
export type ListLimits = Pick<Limits, 'listMs' | 'pages' | 'tools'>;

const page = lenient(z.looseObject({ nextCursor: z.string().nullish() }));

export const NO_OFFERS: ServerOffers = { resources: [], templates: [], prompts: [] };

/** The resources and templates of a server. An entry that is odd is left out; the others stay. */
export async function listResources(
  client: Client,
  server: string,
  options: { limits: ListLimits; signal: AbortSignal },
): Promise<Pick<ServerOffers, 'resources' | 'templates'>> {
  if (!client.getServerCapabilities()?.resources) return { resources: [], templates: [] };
  const [resources, templates] = await Promise.all([
    listAll(client, 'resources/list', 'resources', options),
    // Not every server that has resources knows this method.
    listAll(client, 'resources/templates/list', 'resourceTemplates', options).catch(() => []),
  ]);
  return {
    resources: readAll(serverResource, resources, server),
    templates: readAll(
      serverTemplate,
      templates.map((entry) =>
        isJsonObject(entry) ? { ...entry, variables: variablesOf(entry['uriTemplate']) } : entry,
      ),
      server,
    ),
  };
}

/** The prompts of a server. */
export async function listPrompts(
  client: Client,
  server: string,
  options: { limits: ListLimits; signal: AbortSignal },
): Promise<ServerOffers['prompts']> {
  if (!client.getServerCapabilities()?.prompts) return [];
  const prompts = await listAll(client, 'prompts/list', 'prompts', options);
  return readAll(
    serverPrompt,
    prompts.map((entry) => (isJsonObject(entry) ? { ...entry, arguments: argumentsOf(entry['arguments']) } : entry)),
    server,
  );
}

/** Every page of a list; pages without end are cut. */
async function listAll(
  client: Client,
  method: ListMethod,
  key: string,
  { limits, signal }: { limits: ListLimits; signal: AbortSignal },
): Promise<unknown[]> {
  const end = performance.now() + limits.listMs;
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const found = await client.request({ method, params: cursor === undefined ? {} : { cursor } }, page, {
      timeout: Math.max(1, end - performance.now()),
      signal,
    });
    const list = found[key];
    if (Array.isArray(list)) entries.push(...list);
    cursor = found.nextCursor ?? undefined;
    if (cursor !== undefined && seen.has(cursor)) break;
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined && seen.size < limits.pages && entries.length < limits.tools);
  return entries.slice(0, limits.tools);
}

function readAll<T>(schema: z.ZodType<T>, entries: readonly unknown[], server: string): T[] {
  return entries.flatMap((entry) => {
    const read = schema.safeParse(isJsonObject(entry) ? { ...entry, server } : entry);
    return read.success ? [read.data] : [];
  });
}

function argumentsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => (isJsonObject(entry) ? { ...entry, required: entry['required'] === true } : entry));
}

function variablesOf(template: unknown): string[] {
  try {
    return typeof template === 'string' ? new UriTemplate(template).variableNames : [];
  } catch {
    return [];
  }
}
