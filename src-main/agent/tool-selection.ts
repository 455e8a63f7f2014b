import { tokensOfTool } from '../../src-shared/index.ts';
import type { Tool, ToolSource } from '../tools/index.ts';

/** The tool by which a model finds those that it is not shown. */
const SEARCH = 'find_tools';

/** Which tools a run shows to its model. */
export interface ToolSelection extends ToolSource {
  /** True while there are more than are shown. */
  readonly searching: boolean;
  /** From the next request on these are shown. */
  add(names: readonly string[]): void;
}

/**
 * All tools, as long as the definitions of those of attached servers take no more than `limitTokens`. Else: Causeway's own,
 * those that were found or used in this conversation, and as many whole servers as fit, the most recently used first; the rest
 * is found by `find_tools`.
 * @param recent servers, the most recently used first. It is read once, so that requests of a run begin alike.
 */
export function createToolSelection({
  source,
  limitTokens,
  recent,
}: {
  source: ToolSource;
  limitTokens: number;
  recent: readonly string[];
}): ToolSelection {
  const added = new Set<string>();
  const costs = new WeakMap<Tool, number>();
  let seen: { all: readonly Tool[]; added: number; chosen: readonly Tool[]; searching: boolean } | undefined;

  function costOf(tools: readonly Tool[]): number {
    return tools.reduce((sum, tool) => {
      const cost = costs.get(tool) ?? tokensOfTool(tool);
      costs.set(tool, cost);
      return sum + cost;
    }, 0);
  }

  function current(): { chosen: readonly Tool[]; searching: boolean } {
    const all = source.tools();
    const same = seen && seen.added === added.size && seen.all.length === all.length;
    if (seen && same && all.every((tool, index) => tool === seen?.all[index])) return seen;
    const attached = all.filter(({ origin }) => origin.kind === 'server');
    const searching = all.some(isSearch) && costOf(attached) > limitTokens;
    const chosen = searching ? choose(all, attached) : all.filter((tool) => !isSearch(tool));
    seen = { all, added: added.size, chosen, searching };
    return seen;
  }

  function choose(all: readonly Tool[], attached: readonly Tool[]): Tool[] {
    const kept = new Set(attached.filter(({ name }) => added.has(name)));
    let left = limitTokens - costOf([...kept]);
    for (const server of recent) {
      const rest = attached.filter(
        (tool) => tool.origin.kind === 'server' && tool.origin.server === server && !kept.has(tool),
      );
      const cost = costOf(rest);
      if (cost > left) continue;
      left -= cost;
      for (const tool of rest) kept.add(tool);
    }
    const hidden = attached.filter((tool) => !kept.has(tool));
    return all
      .filter((tool) => tool.origin.kind === 'builtin' || kept.has(tool))
      .map((tool) =>
        isSearch(tool) ? { ...tool, description: `${tool.description} ${describeHidden(hidden)}` } : tool,
      );
  }

  return {
    tools: () => current().chosen,
    get searching() {
      return current().searching;
    },
    add(names) {
      for (const name of names) added.add(name);
    },
  };
}

function isSearch({ name, origin }: Tool): boolean {
  return origin.kind === 'builtin' && name === SEARCH;
}

/** Servers listed at most. */
const MOST_SERVERS = 60;

function describeHidden(hidden: readonly Tool[]): string {
  const counts = new Map<string, number>();
  for (const { origin } of hidden)
    if (origin.kind === 'server') counts.set(origin.server, (counts.get(origin.server) ?? 0) + 1);
  const listed = [...counts].slice(0, MOST_SERVERS).map(([server, count]) => `${JSON.stringify(server)} (${count})`);
  const more = counts.size > MOST_SERVERS ? ', and others' : '';
  return `Not listed now, by server: ${listed.join(', ')}${more}.`;
}
