import { decodeText, lineEnd, lineNumberAt, lineStart, unitWidth, type TextEncoding } from '../../platform/index.ts';

/** Lines shown above and below a change. */
const SNIPPET_LINES = 4;
/** Longer lines are cut in views, in characters. */
const MAX_LINE_LENGTH = 2000;

/** Text as numbered lines, the way cat -n writes them. Line ends are not shown; nor is a byte order mark. */
export function numberLines(text: string, firstNumber: number): string {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  // A final line feed ends the last line and begins none.
  if (lines.at(-1) === '') lines.pop();
  return lines
    .map((line, index) => `${String(firstNumber + index).padStart(6)}\t${cutLine(line.replace(/\r$/, ''))}`)
    .join('\n');
}

/** The numbered lines around a change: of what stands in `bytes` at `start`, `length` bytes long. `line` is where it begins. */
export async function snippet(
  bytes: Uint8Array,
  encoding: TextEncoding,
  { start, length }: { start: number; length: number },
): Promise<{ text: string; line: number }> {
  const last = length > 0 ? start + length - unitWidth(encoding) : start;
  const from = lineStart(bytes, encoding, start, SNIPPET_LINES);
  const to = lineEnd(bytes, encoding, last, SNIPPET_LINES);
  const firstNumber = await lineNumberAt(bytes, encoding, from);
  const line = firstNumber + (await lineNumberAt(bytes.subarray(from), encoding, start - from)) - 1;
  return { text: numberLines(decodeText(bytes.subarray(from, to), encoding), firstNumber), line };
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  return `${line.slice(0, MAX_LINE_LENGTH)} [… ${line.length - MAX_LINE_LENGTH} more characters in this line]`;
}
