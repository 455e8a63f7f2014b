import { structuredPatch } from 'diff';
import type { DiffHunk } from '../../../../src-shared/index.ts';
import { withHiddenShown } from '../../../../src-shared/index.ts';
import type { ServerTool } from '../list-tools.ts';
import { canonicalJson } from './fingerprint.ts';

/** Characters of a definition that are kept to be compared by people; the hash is of the whole. */
const LONGEST = 60_000;
/** Lines that differ, beyond which a comparison helps nobody. */
const MOST_EDITS = 4_000;
const CONTEXT_LINES = 3;
/** Characters of a line. */
const WIDTH = 96;

/** Everything that is pinned of a definition, as text that people can read and compare. */
export function definitionText(tool: ServerTool): string {
  const { name, title, description, annotations, inputSchema, outputSchema } = tool;
  const parts = [
    `name: ${name}`,
    ...(title === undefined ? [] : [`title: ${title}`]),
    ...(annotations ? [`annotations: ${canonicalJson(annotations, 2)}`] : []),
    `description:\n${description}`,
    `input: ${canonicalJson(inputSchema, 2)}`,
    ...(outputSchema ? [`output: ${canonicalJson(outputSchema, 2)}`] : []),
  ];
  return `${parts.join('\n')}\n`.slice(0, LONGEST);
}

/** From one definition to another, with hidden characters shown. `cut`: there is too much to show. */
export function compareDefinitions(before: string, after: string): { hunks: DiffHunk[]; cut: boolean } {
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_EDITS };
  const [old, young] = [readable(before), readable(after)];
  // What differs only where a line was broken is shown with its lines whole.
  const patch =
    old === young
      ? structuredPatch('', '', withHiddenShown(before), withHiddenShown(after), '', '', options)
      : structuredPatch('', '', old, young, '', '', options);
  if (!patch) return { hunks: [], cut: true };
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    lines: lines.filter((line) => !line.startsWith('\\')).map(toLine),
  }));
  return { hunks, cut: before.length >= LONGEST || after.length >= LONGEST };
}

/** Short lines: whatever stands far to the right of a long one is not seen. Sentences keep to lines of their own, so that a change stays where it is. */
function readable(text: string): string {
  return withHiddenShown(text).split('\n').flatMap(breakLine).join('\n');
}

function breakLine(line: string): string[] {
  if (line.length <= WIDTH) return [line];
  const indent = /^ {0,40}/.exec(line)?.[0] ?? '';
  const sentences = line.slice(indent.length).split(/(?<=[.!?;。！？；]|\\n) ?(?=\S)/);
  return sentences.flatMap((sentence) => wrap(sentence, WIDTH - indent.length)).map((part) => indent + part);
}

/** At spaces where there are any near the end. */
function wrap(text: string, width: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : width;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...parts, rest];
}

function toLine(line: string): DiffHunk['lines'][number] {
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'add', text };
  return line.startsWith('-') ? { kind: 'del', text } : { kind: 'same', text };
}
