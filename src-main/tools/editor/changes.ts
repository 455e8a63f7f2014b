import { structuredPatch, type StructuredPatchHunk } from 'diff';
import { decodeText, detectEncoding, encodingName } from '../../platform/index.ts';
import { visible } from './difference.ts';

/** Unchanged lines shown around a change. */
const CONTEXT_LINES = 3;
/** How many differing lines the comparison may find before it gives up: its time grows with the square. */
const MAX_EDIT_LENGTH = 400;
/** The longest diff that is told, in lines, and the longest line, in characters. */
const MAX_LINES = 100;
const MAX_LINE_LENGTH = 300;

/** What changed between two states of a file, as a unified diff with what can not be seen made visible. */
export function describeChanges(before: Uint8Array, now: Uint8Array): string {
  const [from, to] = [before, now].map((bytes) => ({ bytes, encoding: detectEncoding(bytes) }));
  if (from?.encoding === undefined || to?.encoding === undefined) return 'It is a binary file, so there is no diff.';
  const [old, young] = [decodeText(from.bytes, from.encoding), decodeText(to.bytes, to.encoding)];
  if (old === young) {
    return `Its text is the same; its encoding was ${encodingName(from.encoding)} and is ${encodingName(to.encoding)}.`;
  }
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDIT_LENGTH };
  const patch = structuredPatch('', '', old, young, '', '', options);
  if (!patch) return 'So much of it changed that a diff would tell little: view the file again.';
  const lines = patch.hunks.flatMap(showHunk);
  const left = lines.length - MAX_LINES;
  return [
    'What changed (· is a space, → a tab, ␍ a carriage return, where only such differ):',
    '--- as you last saw it',
    '+++ as it is now',
    ...lines.slice(0, MAX_LINES),
    ...(left > 0 ? [`[… ${left} more lines of this diff: view the file again]`] : []),
  ].join('\n');
}

function showHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string[] {
  const added = new Set(lines.filter((line) => line.startsWith('+')).map(squeezed));
  const removed = new Set(lines.filter((line) => line.startsWith('-')).map(squeezed));
  const show = (line: string): string => {
    const spacingOnly = !line.startsWith(' ') && added.has(squeezed(line)) && removed.has(squeezed(line));
    return line.charAt(0) + showText(line.slice(1), spacingOnly);
  };
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines.map(show)];
}

/** The text of a diff's line without its spacing. */
function squeezed(line: string): string {
  return line.slice(1).replace(/\s/g, '');
}

function showText(text: string, spacing: boolean): string {
  const line = spacing ? text : text.replace(/\r$/, '');
  const shown = line.slice(0, MAX_LINE_LENGTH).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\t ]/gu, visible);
  const cut = line.length > MAX_LINE_LENGTH ? ` [… ${line.length - MAX_LINE_LENGTH} more characters]` : '';
  return (spacing ? shown.replace(/[\t ]/g, visible) : shown) + cut;
}
