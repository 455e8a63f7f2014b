import { isModelName, MAX_NAME_LENGTH, serverToolName, shortHash } from '../../../src-shared/index.ts';

/**
 * Names for models, one for each tool, in order. Where two come out alike (a server lists a name twice, or two servers' names
 * run together), the later one is qualified by a hash of where it comes from: none is dropped, none takes another's place.
 * @param tools `plain` ones keep the name that their server gives them, where a model can be given it.
 */
export function nameTools(tools: readonly { server: string; tool: string; plain?: boolean }[]): string[] {
  const taken = new Set<string>();
  return tools.map(({ server, tool, plain }) => {
    const own = plain && isModelName(tool) && !taken.has(tool) ? tool : serverToolName(server, tool);
    let name = own;
    for (let copy = 2; taken.has(name); copy += 1) {
      const suffix = `_${shortHash(`${server}\u0000${tool}\u0000${copy}`)}`;
      name = own.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
    }
    taken.add(name);
    return name;
  });
}
