import { z } from 'zod';
import { success, withHiddenShown, type ToolDefinition } from '../../../src-shared/index.ts';
import type { Tool } from '../contract.ts';
import { fieldsOf, rankTools } from './rank.ts';

/** Characters of one description in an answer. */
const DESCRIPTION = 300;
const MOST_FIELDS = 12;

const input = z.object({
  query: z.string().min(1).max(500),
  limit: z.number().int().min(1).max(30).default(8),
});

/**
 * Finds tools of attached servers that a model is not shown, because there are too many.
 * @param parts `tools` are all there are; `found` is told which tools a run is to have from its next step on.
 */
export function createFindToolsTool({
  tools,
  found,
}: {
  tools: () => readonly Tool[];
  found: (runId: string, names: readonly string[]) => void;
}): Tool {
  return {
    name: 'find_tools',
    title: 'Find tools',
    description:
      'Finds tools of attached servers by what they do. Not all of them are listed here, because there are many; those that ' +
      'it finds can be called from the next step on. Search in a few plain words ("create issue", "read calendar") or by ' +
      'the name of a server. It gives the name of each tool, its server, what it does, and its input fields.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'What the tool should do, in a few words.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 30, description: 'How many tools at most. Default 8.' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    origin: { kind: 'builtin' },
    execute(raw, { caller }) {
      const { query, limit } = input.parse(raw);
      const known = tools().filter(({ origin }) => origin.kind === 'server');
      const best = rankTools(known, query).slice(0, limit);
      if (best.length === 0) return Promise.resolve(success(nothingFound(known)));
      if (caller.kind === 'agent')
        found(
          caller.runId,
          best.map(({ name }) => name),
        );
      const lead = `${best.length === 1 ? 'One tool' : `${best.length} tools`} found; to be called from the next step on:`;
      return Promise.resolve(success([lead, ...best.map(describe)].join('\n')));
    },
  };
}

function describe({ name, origin, description, inputSchema }: ToolDefinition): string {
  const line = withHiddenShown(description).replace(/\s+/g, ' ').trim();
  const what = line.length > DESCRIPTION ? `${line.slice(0, DESCRIPTION)}…` : line;
  const required = new Set(Array.isArray(inputSchema['required']) ? inputSchema['required'] : []);
  const fields = fieldsOf(inputSchema).map((field) =>
    withHiddenShown(required.has(field) ? `${field} (required)` : field),
  );
  const shown = fields.length > MOST_FIELDS ? [...fields.slice(0, MOST_FIELDS), '…'] : fields;
  const server = origin.kind === 'server' ? ` [server ${JSON.stringify(origin.server)}]` : '';
  return `- ${name}${server}: ${what}${shown.length > 0 ? ` Input: ${shown.join(', ')}.` : ''}`;
}

function nothingFound(tools: readonly ToolDefinition[]): string {
  const counts = countByServer(tools).map(({ server, count }) => `${server} (${count})`);
  if (counts.length === 0) return 'No attached server offers any tool now.';
  return `No tool fits these words. Try others, or the name of a server. There are: ${counts.join(', ')}.`;
}

/** How many tools each server has, in the order of servers. */
function countByServer(tools: readonly ToolDefinition[]): { server: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { origin } of tools)
    if (origin.kind === 'server') counts.set(origin.server, (counts.get(origin.server) ?? 0) + 1);
  return [...counts].map(([server, count]) => ({ server, count }));
}
