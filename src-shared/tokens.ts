import { toFunction, type ToolDefinition } from './tool.ts';

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
/** CJK characters one by one, then words, numbers, space, and runs of signs. */
const PIECES = new RegExp(String.raw`[${CJK}]|[^\P{L}${CJK}]+|\p{N}+|\s+|[^\s\p{L}\p{N}]+`, 'gu');
const WORD_OF_CJK = new RegExp(`^[${CJK}]`, 'u');

/**
 * About how many tokens a model counts a text as. A rule of thumb, not a tokenizer: every model has its own, and their tables
 * are megabytes. Against OpenAI's o200k it is within a tenth, for tool definitions as for prose and code.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += weigh(piece);
  return Math.ceil(tokens);
}

function weigh(piece: string): number {
  if (WORD_OF_CJK.test(piece)) return 0.7;
  if (/^\p{L}/u.test(piece)) return wordsOf(piece).reduce((sum, word) => sum + weighWord(word), 0);
  if (/^\p{N}/u.test(piece)) return Math.ceil(piece.length / 3);
  // A single space goes with the word after it.
  if (/^\s/u.test(piece)) return piece === ' ' ? 0 : piece.length > 1 ? 1 : 0.6;
  return Math.max(1, piece.length / 3);
}

function wordsOf(camelCase: string): string[] {
  return camelCase.split(/(?<=[a-z])(?=[A-Z])/);
}

function weighWord(word: string): number {
  const isAscii = /^[a-z]+$/i.test(word);
  return Math.max(1, word.length / (isAscii ? 8 : 3));
}

/** What offering a tool costs in each request to a model, in tokens. */
export function tokensOfTool(tool: ToolDefinition): number {
  return estimateTokens(JSON.stringify(toFunction(tool)));
}
