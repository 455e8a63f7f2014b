import { CausewayError } from '../../../src-shared/index.ts';
import type { Patch } from '../../history/index.ts';
import { lineNumberAt } from '../../platform/index.ts';
import { findMatches, MAX_MATCHES, type Match } from './matches.ts';
import { describeNearest } from './nearest.ts';
import { encodeFor, lineEndAt, type TextFile } from './text-file.ts';

/**
 * Finds the one place of `oldText` and what to write there. Lines at the edges that stay the same are left alone, so that
 * their line ends stay too; the new lines take the line ends of the place.
 * @throws CausewayError when there is no such place, or more than one.
 */
export async function planReplacement(file: TextFile, oldText: string, newText: string): Promise<Patch> {
  const matches = findMatches(file, oldText);
  const [match] = matches;
  if (!match) throw noMatch(file, oldText);
  if (matches.length > 1) throw await severalMatches(file, matches);
  if (oldText.includes('\r') || newText.includes('\r')) {
    // Whoever writes carriage returns means exactly what they write.
    return { offset: match.start, length: match.end - match.start, bytes: encodeFor(file, newText) };
  }
  return patchDifferingLines(file, match, oldText.split('\n'), newText.split('\n'));
}

function patchDifferingLines(file: TextFile, match: Match, oldLines: string[], newLines: string[]): Patch {
  const room = Math.min(oldLines.length, newLines.length) - 1;
  let above = 0;
  while (above < room && oldLines[above] === newLines[above]) above += 1;
  let below = 0;
  while (below < room - above && oldLines.at(-1 - below) === newLines.at(-1 - below)) below += 1;
  const lastOld = oldLines.length - 1 - below;
  const start = match.lines[above] ?? match.start;
  const end = (match.lines[lastOld] ?? match.start) + encodeFor(file, oldLines[lastOld] ?? '').length;
  const lines = newLines.slice(above, newLines.length - below);
  return { offset: start, length: end - start, bytes: encodeFor(file, lines.join(lineEndAt(file, match.start))) };
}

function noMatch(file: TextFile, oldText: string): CausewayError {
  const nearest = describeNearest(file, oldText);
  return new CausewayError('not_found', `old_str does not occur in ${file.path}, so nothing was changed.`, {
    hint: nearest ?? 'Nothing in the file comes near it: view the file and copy the text from there.',
  });
}

async function severalMatches(file: TextFile, matches: readonly Match[]): Promise<CausewayError> {
  const lines: number[] = [];
  for (const { start } of matches.slice(0, MAX_MATCHES)) {
    lines.push(await lineNumberAt(file.bytes, file.encoding, start));
  }
  const more = matches.length > MAX_MATCHES;
  const times = more ? `more than ${MAX_MATCHES} times` : `${matches.length} times`;
  return new CausewayError(
    'conflict',
    `old_str occurs ${times} in ${file.path}, so nothing was changed. It begins in lines ${lines.join(', ')}${more ? ' ...' : ''}.`,
    { hint: 'Include more of the lines around the one you mean, so that it is unique.' },
  );
}
