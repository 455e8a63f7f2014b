import { decodeText } from '../../platform/index.ts';
import { showDifference } from './difference.ts';
import type { TextFile } from './text-file.ts';

/** How much of a file is searched for something alike, in bytes. */
const SEARCHED_BYTES = 2 * 1024 * 1024;
/** Differing lines that are shown. */
const MAX_SHOWN = 5;
/** How alike (0 to 1) a line must be to count as the nearest. */
const LEAST_LIKENESS = 0.45;

/**
 * The text of the file that comes nearest to `wanted`, with the characters that differ made visible; undefined when nothing
 * is alike.
 */
export function describeNearest(file: TextFile, wanted: string): string | undefined {
  const wantedLines = wanted.split('\n');
  const numbered = wantedLines.every((line) => line === '' || /^\s*\d+\t/.test(line));
  if (numbered) return 'old_str has the line numbers of a view in it: leave them out, with the tab behind them.';
  const end = file.start + SEARCHED_BYTES;
  const lines = decodeText(file.bytes.subarray(file.start, end), file.encoding).split('\n');
  const start = startBySharedLines(lines, wantedLines) ?? startByLikeness(lines, wantedLines);
  if (start === undefined) return undefined;
  const shown: string[] = [];
  wantedLines.forEach((line, index) => {
    const found = lines[start + index];
    if (shown.length >= MAX_SHOWN || found === line || found === `${line}\r`) return;
    if (found?.includes(line) && (index === 0 || index === wantedLines.length - 1)) return;
    shown.push(showDifference(start + index + 1, found, line));
  });
  if (shown.length === 0) return undefined;
  return [
    `The nearest text begins in line ${start + 1}. What differs is between ⟦ and ⟧ (· is a space, → a tab, ␍ a carriage return):`,
    ...shown,
  ].join('\n');
}

/** Where the window begins that has the most lines in common with the wanted text, if spacing and case are overlooked. */
function startBySharedLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  wanted.forEach((line, index) => {
    const key = loosely(line);
    if (key.length > 1) places.set(key, [...(places.get(key) ?? []), index]);
  });
  const votes = new Map<number, number>();
  lines.forEach((line, index) => {
    for (const place of places.get(loosely(line)) ?? []) {
      const start = index - place;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  });
  return best(votes);
}

/** Where the window begins whose line is most like the longest wanted line. */
function startByLikeness(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((best, line, index) => (line.length > (wanted[best]?.length ?? 0) ? index : best), 0);
  const pairs = pairsOf(loosely(wanted[longest] ?? ''));
  if (pairs.size === 0) return undefined;
  const scores = new Map<number, number>();
  lines.forEach((line, index) => {
    const score = likeness(pairs, pairsOf(loosely(line.slice(0, 1000))));
    if (score >= LEAST_LIKENESS && index >= longest) scores.set(index - longest, score);
  });
  return best(scores);
}

function best(scores: ReadonlyMap<number, number>): number | undefined {
  let winner: number | undefined;
  for (const [start, score] of scores) {
    if (winner === undefined || score > (scores.get(winner) ?? 0)) winner = start;
  }
  return winner;
}

/** A line without what people and models most often get wrong: spacing, case, look-alike quotes and dashes. */
function loosely(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, '')
    .toLowerCase();
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < text.length; index += 1) pairs.add(text.slice(index, index + 2));
  return pairs;
}

/** Dice's coefficient: twice the pairs in common over all pairs. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common += 1;
  return (2 * common) / (a.size + b.size);
}
