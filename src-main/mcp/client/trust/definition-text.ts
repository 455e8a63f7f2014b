import { structuredPatch } from 'diff';
import type { DiffHunk } from '../../../../src-shared/index.ts';
import { withHiddenShown } from '../../../../src-shared/index.ts';
import type { ServerTool } from '../list-tools.ts';
import { canonicalJson } from './fingerprint.ts';

/** Characters of a definition that are kept to be compared by people; the hash is of the whole. */
const LONGEST = 200_000;
/** Lines that differ, beyond which a comparison helps nobody. */
const MOST_EDITS = 4_000;
const CONTEXT_LINES = 3;

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
  const patch = structuredPatch('', '', withHiddenShown(before), withHiddenShown(after), '', '', options);
  if (!patch) return { hunks: [], cut: true };
  const hunks = patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart,
    newStart,
    lines: lines.filter((line) => !line.startsWith('\\')).map(toLine),
  }));
  return { hunks, cut: before.length >= LONGEST || after.length >= LONGEST };
}

function toLine(line: string): DiffHunk['lines'][number] {
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'add', text };
  return line.startsWith('-') ? { kind: 'del', text } : { kind: 'same', text };
}
