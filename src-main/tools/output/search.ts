import type { OutputMatches } from '../../../src-shared/index.ts';
import type { OutputStore } from '../../store/index.ts';
import { readLines } from './lines.ts';
import type { Matcher } from './match.ts';

export interface SearchOptions {
  handle: string;
  matcher: Matcher;
  /** First line to look at, from 1. */
  line: number;
  signal: AbortSignal;
}

/** Matching lines of one answer, characters of one line in it, and of all. */
const MOST_MATCHES = 100;
const LONGEST_LINE = 2000;
const MOST_TEXT = 50_000;
/** One answer is looked for this long, in milliseconds; the next one goes on from there. */
const MOST_TIME_MS = 5000;

/**
 * The lines of a kept output that match, from a line on, as many as one answer holds.
 * @throws CausewayError `not_found`, or what the matcher throws; the signal's reason.
 */
export async function searchOutput(
  outputs: OutputStore,
  { handle, matcher, line, signal }: SearchOptions,
): Promise<OutputMatches> {
  const matches: OutputMatches['matches'] = [];
  const until = performance.now() + MOST_TIME_MS;
  let size = 0;
  let last = 0;
  for await (const group of readLines(outputs, handle, signal)) {
    last = group.at(-1)?.number ?? last;
    for (const found of matcher(group.filter(({ number }) => number >= line))) {
      if (matches.length === MOST_MATCHES || size > MOST_TEXT) return { matches, lines: null, next: found.number };
      const shown = shorten(found.text);
      matches.push({ line: found.number, offset: found.offset, text: shown });
      size += shown.length;
    }
    if (performance.now() > until && last >= line) return { matches, lines: null, next: last + 1 };
  }
  return { matches, lines: last, next: null };
}

/** A line as it fits into an answer. */
export function shorten(text: string): string {
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)} [… ${text.length} characters …]`;
}
