import { diffLines, structuredPatch, type StructuredPatchHunk } from 'diff';
import type { DiffHunk } from '../../src-shared/index.ts';
import { decodeText, type TextEncoding } from '../platform/index.ts';

/** A change with the unchanged text around it, all as bytes. */
export interface ChangedRegion {
  lead: Uint8Array;
  removed: Uint8Array;
  inserted: Uint8Array;
  trail: Uint8Array;
  encoding: TextEncoding;
}

/** Regions up to this many bytes are compared line by line; larger ones count as replaced altogether. */
const COMPARED_BYTES = 256 * 1024;
/** How many differing lines the comparison may find before it gives up: its time grows with the square (10 ms here). */
const MAX_EDIT_LENGTH = 400;
/** The longest diff that is shown, in lines, and the longest line, in characters. */
const MAX_LINES = 3000;
const MAX_LINE_LENGTH = 2000;
const CONTEXT_LINES = 3;

/** How many lines a change adds and removes; looks at the changed region only. */
export function countChangedLines(region: ChangedRegion): { added: number; removed: number } {
  const { old, new: young } = textsOf(region);
  const changes = comparable(region) ? diffLines(old, young, { maxEditLength: MAX_EDIT_LENGTH }) : undefined;
  if (!changes) return { added: countLines(young), removed: countLines(old) };
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    if (change.added) added += change.count;
    if (change.removed) removed += change.count;
  }
  return { added, removed };
}

/**
 * A change as hunks of a diff. `cut` says that lines or parts of lines were left out.
 * @param line the number of the first line of the region.
 */
export function diffRegion(region: ChangedRegion, line: number): { hunks: DiffHunk[]; cut: boolean } {
  const { old, new: young } = textsOf(region);
  const patch = comparable(region)
    ? structuredPatch('', '', old, young, '', '', { context: CONTEXT_LINES, maxEditLength: MAX_EDIT_LENGTH })
    : undefined;
  const whole = patch ? patch.hunks.map(toHunk) : [replacedAltogether(old, young)];
  return cutHunks(
    whole.map((hunk) => ({ ...hunk, oldStart: hunk.oldStart + line - 1, newStart: hunk.newStart + line - 1 })),
  );
}

function comparable({ removed, inserted }: ChangedRegion): boolean {
  return removed.length + inserted.length <= COMPARED_BYTES;
}

function textsOf({ lead, removed, inserted, trail, encoding }: ChangedRegion): { old: string; new: string } {
  const decode = (side: Uint8Array): string =>
    decodeText(Buffer.concat([lead, side, trail]), encoding).replace(/^\uFEFF/, '');
  return { old: decode(removed), new: decode(inserted) };
}

function toHunk(hunk: StructuredPatchHunk): DiffHunk {
  const lines = hunk.lines
    .filter((text) => !text.startsWith('\\'))
    .map((text) => ({ kind: kindOf(text), text: text.slice(1) }));
  // A side without lines is said to start at the line before it, or at 0; lines are numbered from 1.
  return { oldStart: Math.max(1, hunk.oldStart), newStart: Math.max(1, hunk.newStart), lines };
}

function kindOf(line: string): 'same' | 'add' | 'del' {
  return line.startsWith('+') ? 'add' : line.startsWith('-') ? 'del' : 'same';
}

function replacedAltogether(old: string, young: string): DiffHunk {
  return {
    oldStart: 1,
    newStart: 1,
    lines: [
      ...linesOf(old).map((text) => ({ kind: 'del' as const, text })),
      ...linesOf(young).map((text) => ({ kind: 'add' as const, text })),
    ],
  };
}

function cutHunks(hunks: DiffHunk[]): { hunks: DiffHunk[]; cut: boolean } {
  let room = MAX_LINES;
  let cut = false;
  const shown: DiffHunk[] = [];
  for (const hunk of hunks) {
    if (room === 0) return { hunks: shown, cut: true };
    const lines = hunk.lines.slice(0, room).map((line) => {
      if (line.text.length <= MAX_LINE_LENGTH) return line;
      cut = true;
      return { ...line, text: `${line.text.slice(0, MAX_LINE_LENGTH)} …` };
    });
    cut ||= lines.length < hunk.lines.length;
    room -= lines.length;
    shown.push({ ...hunk, lines });
  }
  return { hunks: shown, cut };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function countLines(text: string): number {
  return linesOf(text).length;
}
