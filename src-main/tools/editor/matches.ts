import { alignedIndex, encodeFor, endsWithReturn, type TextFile } from './text-file.ts';
import { createBoundaries, encodeText } from '../../platform/index.ts';

/** Where a text of several lines was found: `lines[i]` is where its line i begins, `end` where the last one ends. */
export interface Match {
  start: number;
  end: number;
  lines: readonly number[];
}

/** More matches than this are not listed one by one. */
export const MAX_MATCHES = 100;

/** A line of the wanted text, and how its end must look: `\n` as given matches `\r\n` too. */
interface Segment {
  bytes: Buffer;
  /** True when the wanted text has `\r\n` itself here. */
  strictReturn: boolean;
}

/**
 * Every place where `wanted` occurs, overlapping ones too, in order; at most {@link MAX_MATCHES} and one more. Exact in
 * every character, but for line ends: a `\n` in `wanted` also matches `\r\n`.
 */
export function findMatches(file: TextFile, wanted: string): Match[] {
  const segments = toSegments(file, wanted);
  if (!segments) return [];
  const anchor = longestIndex(segments);
  const needle = anchorBytes(file, segments, anchor);
  const begins = createBoundaries(file.bytes, file.encoding);
  const matches: Match[] = [];
  let from = file.start;
  while (matches.length <= MAX_MATCHES) {
    const at = alignedIndex(file, needle, from);
    if (at === undefined) break;
    const match = matchAround(file, segments, anchor, at);
    if (match && begins(match.start)) matches.push(match);
    from = at + 1;
  }
  return matches;
}

/** Undefined when the file's encoding can't hold the text: then it can't be in there. */
function toSegments(file: TextFile, wanted: string): Segment[] | undefined {
  const segments: Segment[] = [];
  for (const line of wanted.split('\n')) {
    const isLast = segments.length === countOf(wanted, '\n');
    const strictReturn = !isLast && line.endsWith('\r');
    const bytes = encodeText(strictReturn ? line.slice(0, -1) : line, file.encoding);
    if (!bytes) return undefined;
    segments.push({ bytes, strictReturn });
  }
  return segments;
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}

function longestIndex(segments: readonly Segment[]): number {
  let best = 0;
  segments.forEach(({ bytes }, index) => {
    if (bytes.length > (segments[best]?.bytes.length ?? 0)) best = index;
  });
  return best;
}

/** What to search for: the longest line, or a line feed when all lines are empty. */
function anchorBytes(file: TextFile, segments: readonly Segment[], anchor: number): Buffer {
  const bytes = segments[anchor]?.bytes;
  return bytes && bytes.length > 0 ? bytes : encodeFor(file, '\n');
}

/** The match whose line `anchor` begins at `at`, if the other lines are there as well. */
function matchAround(file: TextFile, segments: readonly Segment[], anchor: number, at: number): Match | undefined {
  const allEmpty = segments.every(({ bytes }) => bytes.length === 0);
  // With only line ends to go by, `at` is the first line feed, which a carriage return may precede.
  const first = allEmpty && endsWithReturn(file, at) ? at - encodeFor(file, '\r').length : at;
  const above = walkUp(file, segments, anchor, first);
  const below = walkDown(file, segments, anchor, first);
  if (!above || !below) return undefined;
  const [start = first] = above;
  return { start, end: below.end, lines: [...above, ...below.lines] };
}

/** Where the lines above the anchor begin, first one first. */
function walkUp(file: TextFile, segments: readonly Segment[], anchor: number, at: number): number[] | undefined {
  const feed = encodeFor(file, '\n');
  const lines: number[] = [];
  let position = at;
  for (let index = anchor - 1; index >= 0; index -= 1) {
    const segment = segments[index];
    if (!segment || !holds(file, feed, position - feed.length)) return undefined;
    position -= feed.length;
    const hasReturn = endsWithReturn(file, position);
    if (segment.strictReturn && !hasReturn) return undefined;
    if (hasReturn) position -= feed.length;
    position -= segment.bytes.length;
    if (!holds(file, segment.bytes, position)) return undefined;
    lines.unshift(position);
  }
  return lines;
}

/** Where the anchor and the lines below it begin, and where the last one ends. */
function walkDown(
  file: TextFile,
  segments: readonly Segment[],
  anchor: number,
  at: number,
): { lines: number[]; end: number } | undefined {
  const feed = encodeFor(file, '\n');
  const ret = encodeFor(file, '\r');
  const lines: number[] = [];
  let position = at;
  for (let index = anchor; index < segments.length; index += 1) {
    const segment = segments[index];
    if (!segment || !holds(file, segment.bytes, position)) return undefined;
    lines.push(position);
    position += segment.bytes.length;
    if (index === segments.length - 1) break;
    const hasReturn = holds(file, ret, position);
    if (segment.strictReturn && !hasReturn) return undefined;
    if (hasReturn) position += ret.length;
    if (!holds(file, feed, position)) return undefined;
    position += feed.length;
  }
  return { lines, end: position };
}

function holds(file: TextFile, bytes: Buffer, at: number): boolean {
  return at >= file.start && bytes.equals(file.bytes.subarray(at, at + bytes.length));
}
