import { cleanName, isModelName, nearestNames, shortHash } from '../../src-shared/index.ts';
import type { Tool, ToolSource } from './contract.ts';

/** Every tool of every source under one unique name each. */
export interface ToolCollection extends ToolSource {
  find(name: string): Tool | undefined;
  /** The names nearest to an unknown one, for "did you mean". */
  nearest(name: string): string[];
}

/**
 * Joins sources, the first one first. Names are made unique and fit for a model here: a duplicate is neither dropped nor does
 * it overwrite, it is qualified by a short hash of where it comes from, so that it stays the same between runs.
 */
export function createCollection(sources: readonly ToolSource[]): ToolCollection {
  let seen: { lists: readonly (readonly Tool[])[]; byName: Map<string, Tool> } | undefined;

  function current(): Map<string, Tool> {
    const lists = sources.map((source) => source.tools());
    // Sources give the same array until something changes, so this is the common, cheap way out.
    if (seen && lists.every((list, index) => list === seen?.lists[index])) return seen.byName;
    seen = { lists, byName: nameAll(lists.flat()) };
    return seen.byName;
  }

  return {
    tools: () => [...current().values()],
    find: (name) => current().get(name),
    nearest: (name) => nearestNames(name, [...current().keys()]),
  };
}

function nameAll(tools: readonly Tool[]): Map<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const wanted = isModelName(tool.name) ? tool.name : cleanName(tool.name);
    const name = byName.has(wanted) ? qualify(wanted, tool, byName) : wanted;
    byName.set(name, name === tool.name ? tool : renamed(tool, name));
  }
  return byName;
}

function qualify(name: string, tool: Tool, taken: ReadonlyMap<string, Tool>): string {
  const origin = tool.origin.kind === 'server' ? `${tool.origin.server}\u0000${tool.origin.originalName}` : name;
  for (let attempt = 0; ; attempt += 1) {
    const candidate = `${name.slice(0, 55)}_${shortHash(`${origin}\u0000${attempt}`)}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function renamed(tool: Tool, name: string): Tool {
  return { ...tool, name, execute: (input, context) => tool.execute(input, context) };
}
