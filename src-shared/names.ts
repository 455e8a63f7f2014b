/** The longest function name that OpenAI-compatible endpoints accept. */
export const MAX_NAME_LENGTH = 64;

const ALLOWED = /^[a-zA-Z0-9_-]{1,64}$/;
const HASH_LENGTH = 8;

/** True when a name can be shown to a model as it is. */
export function isModelName(name: string): boolean {
  return ALLOWED.test(name);
}

/**
 * The name under which a server's tool is shown to a model: `mcp_<server>_<tool>`, cleaned as the seed says (other characters
 * become `_`, runs of `_` become one, `_` at the ends goes). Where cleaning or cutting loses anything, the name ends in a
 * short hash of the original, so that two different tools never share a name. Stable between runs.
 */
export function serverToolName(server: string, tool: string): string {
  return cleanName(`mcp_${server}_${tool}`, `${server}\u0000${tool}`);
}

/** `name` when a model may see it, else its cleaned form ending in a hash of `identity` (by default the name itself). */
export function cleanName(name: string, identity: string = name): string {
  const cleaned = name
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_+|_+$/g, '');
  if (cleaned === name && ALLOWED.test(name)) return name;
  const kept = cleaned.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1).replace(/_+$/, '');
  return `${kept || 'tool'}_${shortHash(identity)}`;
}

/** Eight hexadecimal digits of FNV-1a over the UTF-16 code units: not for secrets, only to keep names apart. */
export function shortHash(value: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < value.length; index += 1) {
    hash ^= value.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(HASH_LENGTH, '0');
}

/** The `count` known names nearest to `wanted` by edit distance, nearest first: for "did you mean". */
export function nearestNames(wanted: string, known: readonly string[], count = 3): string[] {
  const key = wanted.toLowerCase();
  return known
    .map((name) => ({ name, distance: scoreName(key, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, count)
    .map(({ name }) => name);
}

function scoreName(wanted: string, name: string): number {
  const distance = editDistance(wanted.slice(0, 80), name.slice(0, 80));
  // A contained name is a likelier slip ("editor" for "str_replace_editor") than its edit distance says.
  return name.includes(wanted) || wanted.includes(name) ? distance / 4 : distance;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
