import { isVisibleTo, nearestNames, type Caller } from '../../src-shared/index.ts';
import type { ToolCollection } from './collection.ts';
import type { Tool } from './contract.ts';

/** Whether a tool is for this caller at all: some are for the views of their server only, some never. A person may call every one. */
export function isFor(tool: Tool, caller: Caller): boolean {
  if (caller.kind === 'person') return true;
  return isVisibleTo(tool, caller.kind === 'view' ? 'app' : 'model');
}

/** The tools of a collection that models may know of. */
export function forModels(collection: ToolCollection): ToolCollection {
  const tools = (): Tool[] => collection.tools().filter((tool) => isVisibleTo(tool, 'model'));
  return {
    tools,
    find(name) {
      const tool = collection.find(name);
      return tool && isVisibleTo(tool, 'model') ? tool : undefined;
    },
    nearest: (name) =>
      nearestNames(
        name,
        tools().map((tool) => tool.name),
      ),
  };
}
