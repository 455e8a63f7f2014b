/** Characters of one string, and of all strings of a message, that are kept. */
const LONGEST_STRING = 4_000;
const MOST_CHARACTERS = 24_000;
/** Messages of fewer characters are kept as they came, and are put into words when somebody looks. */
const SMALL = 2_000;
/** Items of one list, and nested values, that are kept. */
const MOST_ITEMS = 200;
const DEEPEST = 24;

/**
 * Roughly how many characters a message has; undefined when it is too large to be kept as it is. Looks at no more than it has to: this
 * is done for every message.
 */
export function sizeOfSmall(message: unknown): number | undefined {
  let size = 0;
  function add(value: unknown, depth: number): boolean {
    size += 8;
    if (typeof value === 'string') size += value.length;
    else if (typeof value === 'object' && value !== null) {
      if (depth > DEEPEST) return false;
      for (const key in value) {
        size += key.length;
        // Plain JSON: nothing is inherited.
        if (size > SMALL || !add(Reflect.get(value, key), depth + 1)) return false;
      }
    }
    return size <= SMALL;
  }
  return add(message, 0) ? size : undefined;
}

/**
 * A message as JSON for people: long strings, long lists and what is deep inside are cut, and it says so. Takes time in proportion to
 * what is kept, not to what came.
 * @param mask takes secrets out of a string.
 */
export function shortenMessage(message: unknown, mask: (text: string) => string): string {
  let left = MOST_CHARACTERS;

  function text(value: string): string {
    // Masked before it is cut: a secret that the cut runs through would stay in part.
    const kept = mask(value.length > LONGEST_STRING * 4 ? value.slice(0, LONGEST_STRING * 4) : value);
    const most = Math.max(0, Math.min(LONGEST_STRING, left));
    left -= Math.min(kept.length, most);
    return value.length <= most ? kept : `${kept.slice(0, most)}... (${value.length} characters)`;
  }

  function shorten(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > DEEPEST || left <= 0) return '...';
    left -= 8;
    if (Array.isArray(value)) {
      const items = value.slice(0, MOST_ITEMS).map((item) => shorten(item, depth + 1));
      return value.length > MOST_ITEMS ? [...items, `... (${value.length} items)`] : items;
    }
    const short: Record<string, unknown> = {};
    let count = 0;
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      if ((count += 1) > MOST_ITEMS || left <= 0) {
        short['...'] = 'more';
        break;
      }
      short[mask(key.slice(0, LONGEST_STRING))] = shorten(item, depth + 1);
    }
    return short;
  }

  return JSON.stringify(shorten(message, 0)) ?? '';
}
