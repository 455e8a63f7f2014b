import { highlight } from './highlight.ts';
import { htmlLines, type Run } from './runs.ts';

/** How many characters are coloured at a time: some 5 ms of work. */
const BLOCK = 3000;
/** A longer line stays plain, in characters: it was made by a program, and nobody reads its colours. */
const LONGEST_LINE = 500;

/**
 * Colours lines that follow each other, as one text, so that a comment or string over several lines is one. Gives the lines in
 * pieces, in order: the caller may let other work happen between two. Lines for which it gives nothing stay plain.
 * @param block how many characters are done at a time.
 */
export function* colourLines(
  lines: readonly string[],
  language: string,
  block = BLOCK,
): Generator<(readonly Run[] | undefined)[], void, undefined> {
  let start = 0;
  while (start < lines.length) {
    const end = endOfBlock(lines, start, block);
    const texts = lines.slice(start, end).map((line) => (line.length > LONGEST_LINE ? '' : line));
    // The last line end belongs to the text: what is open at the end of a text without it would seem to end there.
    const html = highlight(`${texts.join('\n')}\n`, language);
    if (html === undefined) return;
    const coloured = htmlLines(html).slice(0, -1);
    // The next block may start only where nothing is open: a comment cut in two would turn what follows it inside out.
    const last = end === lines.length ? texts.length : coloured.findLastIndex(({ open }) => !open) + 1;
    if (last === 0) return;
    yield coloured.slice(0, last).map(({ runs }, at) => (texts[at] === lines[start + at] ? runs : undefined));
    start += last;
  }
}

function endOfBlock(lines: readonly string[], start: number, block: number): number {
  let end = start;
  let room = block;
  while (end < lines.length && (end === start || room > 0)) {
    room -= Math.min(lines[end]?.length ?? 0, LONGEST_LINE) + 1;
    end += 1;
  }
  return end;
}
