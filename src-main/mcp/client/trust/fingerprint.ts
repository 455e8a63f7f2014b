import { createHash } from 'node:crypto';
import type { ServerTool } from '../list-tools.ts';

/** What of a definition says to a model what a tool is and does; icons and `_meta` do not. */
type Pinned = Pick<ServerTool, 'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'>;

function pinned({ name, title, description, inputSchema, outputSchema, annotations }: ServerTool): Pinned {
  return {
    name,
    description,
    inputSchema,
    ...(title !== undefined && { title }),
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
  };
}

/** The SHA-256 of a definition, whatever the order in which its keys came. */
export function fingerprint(tool: ServerTool): string {
  return createHash('sha256')
    .update(canonicalJson(pinned(tool)))
    .digest('hex');
}

/** JSON with the keys of every object sorted. */
export function canonicalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, sortKeys, indent) ?? 'null';
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  // A key called "__proto__" must stay a key.
  return entries.reduce<object>(
    (sorted, [key, entry]) =>
      Object.defineProperty(sorted, key, { value: entry, enumerable: true, configurable: true, writable: true }),
    {},
  );
}

/** The names by which a server's tools are told apart, in order: the second one of a name has a number. */
export function toolKeys(tools: readonly Pick<ServerTool, 'name'>[]): string[] {
  const seen = new Map<string, number>();
  return tools.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}\u001F${count}`;
  });
}
