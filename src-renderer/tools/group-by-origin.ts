import type { ToolDefinition } from '../../src-shared/index.ts';

/** Tools by the server they come from, in alphabetical order; Causeway's own come first, under an empty name. */
export function groupByOrigin(tools: readonly ToolDefinition[]): [server: string, tools: ToolDefinition[]][] {
  const groups = new Map<string, ToolDefinition[]>();
  for (const tool of tools) {
    const server = tool.origin.kind === 'server' ? tool.origin.server : '';
    const known = groups.get(server);
    if (known) known.push(tool);
    else groups.set(server, [tool]);
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}
