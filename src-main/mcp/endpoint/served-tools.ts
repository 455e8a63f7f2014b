import { nearestNames } from '../../../src-shared/index.ts';
import type { Tool } from '../../tools/index.ts';
import type { EndpointParts } from './contract.ts';

/** The tools that other apps may see. */
export interface ServedTools {
  all(): Tool[];
  find(name: string): Tool | undefined;
  /** For "did you mean": only names that are served. */
  nearest(name: string): string[];
  /** Fires when the tools are others than before, not each time the source says that they may be. */
  onChange(listener: () => void): Disposable;
}

type Parts = Pick<EndpointParts, 'source' | 'onToolsChanged' | 'serves'>;

/** Listens to the source only while somebody listens here. */
export function createServedTools({ source, onToolsChanged, serves = outsideRuns }: Parts): ServedTools {
  const listeners = new Set<() => void>();
  let watch: Disposable | undefined;
  let seen: Tool[] = [];

  const all = (): Tool[] => source.tools().filter(serves);

  function lookAgain(): void {
    const now = all();
    if (now.length === seen.length && now.every((tool, index) => tool === seen[index])) return;
    seen = now;
    for (const listener of [...listeners]) listener();
  }

  return {
    all,
    find(name) {
      const tool = source.find ? source.find(name) : source.tools().find((known) => known.name === name);
      return tool && serves(tool) ? tool : undefined;
    },
    nearest: (name) =>
      nearestNames(
        name,
        all().map((tool) => tool.name),
      ),
    onChange(listener) {
      // A function of its own per registration, so that one listener may register twice.
      const own = (): void => listener();
      if (!watch) {
        seen = all();
        watch = onToolsChanged(lookAgain);
      }
      listeners.add(own);
      return {
        [Symbol.dispose]() {
          listeners.delete(own);
          if (listeners.size > 0) return;
          watch?.[Symbol.dispose]();
          watch = undefined;
        },
      };
    },
  };
}

/** These end a run of the agent, or change what it is shown, and mean nothing to another app. */
const OF_RUNS = new Set(['terminate', 'find_tools']);

function outsideRuns(tool: Tool): boolean {
  return tool.origin.kind !== 'builtin' || !OF_RUNS.has(tool.name);
}
