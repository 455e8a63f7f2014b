import type { Patch } from '../../history/index.ts';
import {
  characterStart,
  countLineFeeds,
  decodeText,
  lineEnd,
  lineNumberAt,
  lineStart,
  unitWidth,
} from '../../platform/index.ts';
import type { TextFile } from './text-file.ts';

/** Lines shown above and below a change. */
const SNIPPET_LINES = 4;
/** The most that is looked at on each side of a change, in bytes; a multiple of any code unit. */
const AROUND_BYTES = 64 * 1024;
/** What is shown of a long line before a change in it, in bytes; and what stands for the rest. */
const LEAD_BYTES = 400;
const LEFT_OUT = '[… more of this line] ';
/** Longer lines are cut in views, in characters. */
export const MAX_LINE_LENGTH = 2000;

/**
 * Text as numbered lines, the way cat -n writes them. Line ends are not shown; nor is a byte order mark.
 * @param isOpen says that the last line goes on beyond the text.
 */
export function numberLines(text: string, firstNumber: number, { isOpen = false } = {}): string {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  // A final line feed ends the last line and begins none.
  if (lines.at(-1) === '') lines.pop();
  return lines
    .map((line, index) => {
      const goesOn = isOpen && index === lines.length - 1;
      return `${String(firstNumber + index).padStart(6)}\t${cutLine(line.replace(/\r$/, ''), goesOn)}`;
    })
    .join('\n');
}

/**
 * The numbered lines around a change, as they are once `patch` is made in `file`; and the number of the line in which it begins.
 * Looks at the surroundings only, whatever the size of the file.
 */
export async function snippet(
  { bytes, encoding }: Pick<TextFile, 'bytes' | 'encoding'>,
  patch: Patch,
): Promise<{ text: string; line: number }> {
  const floor = characterStart(bytes, encoding, Math.max(0, patch.offset - AROUND_BYTES));
  const from = lineStart(bytes, encoding, patch.offset, SNIPPET_LINES, floor);
  const above = bytes.subarray(from, lineStart(bytes, encoding, patch.offset, 0, from));
  const begin = from + above.length;
  // Far out in a long line: without its beginning, or the cut line would end before the change.
  const isFar = patch.offset - begin > LEAD_BYTES;
  const lead = bytes.subarray(isFar ? characterStart(bytes, encoding, patch.offset - LEAD_BYTES) : begin, patch.offset);
  const end = patch.offset + patch.length;
  const rest = bytes.subarray(end, end + AROUND_BYTES);
  const endsLine = countLineFeeds(patch.bytes.subarray(-unitWidth(encoding)), encoding) > 0;
  const below = rest.subarray(0, lineEnd(rest, encoding, 0, endsLine ? SNIPPET_LINES - 1 : SNIPPET_LINES));
  const line = await lineNumberAt(bytes, encoding, patch.offset);
  const changed = decodeText(Buffer.concat([lead, patch.bytes, below]), encoding);
  const text = decodeText(above, encoding) + (isFar ? LEFT_OUT : '') + changed;
  return { text: numberLines(text, line - countLineFeeds(above, encoding)), line };
}

function cutLine(line: string, goesOn: boolean): string {
  const rest = line.length - MAX_LINE_LENGTH;
  if (rest > 0)
    return `${line.slice(0, MAX_LINE_LENGTH)} [… ${goesOn ? 'over ' : ''}${rest} more characters in this line]`;
  return goesOn ? `${line} [… this line goes on]` : line;
}
