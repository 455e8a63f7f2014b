import type { ToolDefinition } from '../../../src-shared/index.ts';

/** Characters of a description that are searched. */
const SEARCHED = 4_000;
/** What a word counts in each place. */
const WEIGHTS = { name: 6, title: 4, server: 4, fields: 2, description: 1 };
/** A word that only begins like the one searched for counts this much of it. */
const BEGINNING = 0.5;

interface Indexed<T> {
  tool: T;
  /** The weight of each word. */
  words: Map<string, number>;
}

/** The tools that fit a query in plain words, the best first: rare words count more, and so do those of a name. */
export function rankTools<T extends ToolDefinition>(tools: readonly T[], query: string): T[] {
  const wanted = [...new Set(wordsOf(query))];
  const indexed = tools.map((tool) => indexTool(tool));
  const rarity = new Map(wanted.map((word) => [word, rarityOf(word, indexed)]));
  return indexed
    .map(({ tool, words }) => {
      const isNamed = query.includes(tool.name) ? 1000 : 0;
      return { tool, score: wanted.reduce((sum, word) => sum + weigh(word, words) * (rarity.get(word) ?? 0), isNamed) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ tool }) => tool);
}

function indexTool<T extends ToolDefinition>(tool: T): Indexed<T> {
  const words = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) words.set(word, Math.max(words.get(word) ?? 0, weight));
  };
  const { origin, title = '', description, inputSchema } = tool;
  add(description.slice(0, SEARCHED), WEIGHTS.description);
  add(fieldsOf(inputSchema).join(' '), WEIGHTS.fields);
  add(title, WEIGHTS.title);
  if (origin.kind === 'server') add(origin.server, WEIGHTS.server);
  add(origin.kind === 'server' ? origin.originalName : tool.name, WEIGHTS.name);
  return { tool, words };
}

/** The names of a tool's input fields. */
export function fieldsOf(schema: ToolDefinition['inputSchema']): string[] {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

function weigh(word: string, words: ReadonlyMap<string, number>): number {
  const exact = words.get(word);
  if (exact !== undefined) return exact;
  if (word.length < 3) return 0;
  let best = 0;
  for (const [known, weight] of words)
    if (known.startsWith(word) || (known.length >= 4 && word.startsWith(known))) best = Math.max(best, weight);
  return best * BEGINNING;
}

function rarityOf(word: string, indexed: readonly Indexed<unknown>[]): number {
  const count = indexed.filter(({ words }) => words.has(word)).length;
  return Math.log(1 + indexed.length / (1 + count));
}

/** Lower case words, also those within camelCase and snake_case, without a plural's end; of Chinese each pair of characters. */
function wordsOf(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase();
  return (spaced.match(/\p{Script=Han}+|[^\P{L}\p{Script=Han}]+|\p{N}+/gu) ?? []).flatMap((word) => {
    if (/\p{Script=Han}/u.test(word)) return pairsOf(word);
    return [word.length > 3 ? word.replace(/s$/, '') : word];
  });
}

function pairsOf(word: string): string[] {
  const characters = [...word];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
