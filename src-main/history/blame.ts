import { diffArrays } from 'diff';
import { CausewayError, type Blame } from '../../src-shared/index.ts';
import { decodeText, detectEncoding } from '../platform/index.ts';
import { toView, type EditSummary } from './edit-row.ts';
import { readEntry } from './entry.ts';
import { walkBack, type PastParts, type PastState } from './past.ts';

/** Files up to this many bytes are looked into. */
const MOST_BYTES = 1024 * 1024;
/** How many lines two states may differ in before all between them counts as new: the time grows with the square. */
const MOST_DIFFERENCES = 2000;

/**
 * Which edit wrote each line of a file as it is now. Lines that nobody is named for are older than the history, or were written
 * past it.
 */
export async function blameFile(parts: PastParts, path: string): Promise<Blame> {
  const text = await currentText(parts, path);
  const lines = linesOf(text);
  const authors: (number | undefined)[] = lines.map(() => undefined);
  const edits = new Map<number, EditSummary>();
  /** For each line of the state that is looked at: which line of today it became. */
  let open: (number | undefined)[] = lines.map((_, index) => index);
  let state: readonly string[] = lines;
  let skippedTo: number | undefined;
  for await (const { edit, before, after } of walkBack(parts, path)) {
    if (skippedTo !== undefined) {
      if (edit.id === skippedTo) skippedTo = undefined;
      continue;
    }
    if (open.every((line) => line === undefined)) break;
    const about = edit.of === null ? undefined : parts.journal.find(edit.of);
    if (about && edit.kind === 'undo' && edit.afterHash === about.beforeHash) {
      // Back to what was before that edit: neither of the two wrote anything that is left.
      skippedTo = about.id;
      continue;
    }
    const author = about && edit.kind === 'redo' ? about : edit;
    if (about && author === about) skippedTo = about.id;
    const [left, right] = [textLines(before), textLines(after)];
    if (!left || !right) break;
    // What somebody else changed after this edit is nobody's.
    open = carried(right, state, open);
    const kept = carried(left, right, open);
    const survivors = new Set(kept);
    for (const line of open) {
      if (line === undefined || survivors.has(line)) continue;
      authors[line] = author.id;
      edits.set(author.id, author);
    }
    [open, state] = [kept, left];
  }
  return { path, spans: spansOf(authors), edits: [...edits.values()].map(toView), text };
}

/** For each line of `from` the line of today that it became, when `to` is the state after it and `known` tells that of its lines. */
function carried(
  from: readonly string[],
  to: readonly string[],
  known: readonly (number | undefined)[],
): (number | undefined)[] {
  if (from === to) return [...known];
  const result: (number | undefined)[] = [];
  let at = 0;
  for (const change of diffArrays([...from], [...to], { maxEditLength: MOST_DIFFERENCES }) ?? []) {
    const length = change.value.length;
    if (change.removed) result.push(...change.value.map(() => undefined));
    else if (!change.added) result.push(...known.slice(at, at + length));
    if (!change.removed) at += length;
  }
  while (result.length < from.length) result.push(undefined);
  return result;
}

function spansOf(authors: readonly (number | undefined)[]): Blame['spans'] {
  const spans: Blame['spans'] = [];
  for (const editId of authors) {
    const last = spans.at(-1);
    if (last && last.editId === editId) last.lines += 1;
    else spans.push({ lines: 1, ...(editId !== undefined && { editId }) });
  }
  return spans;
}

async function currentText({ files }: PastParts, path: string): Promise<string> {
  const entry = await readEntry(files, path);
  if (entry?.type !== 'file') throw new CausewayError('not_found', `There is no file ${path}.`);
  const text = toText(entry.bytes);
  if (text !== undefined) return text;
  throw new CausewayError('bad_input', `${path} is no text, or too large to look into (more than 1 MB).`);
}

function toText(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const encoding = detectEncoding(bytes);
  return encoding && decodeText(bytes, encoding);
}

/** Undefined for what is not known or no text; no lines for no file. */
function textLines(state: PastState): readonly string[] | undefined {
  if (state === null) return [];
  const text = state && toText(state.bytes);
  return text === undefined ? undefined : linesOf(text);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
