import { CausewayError, type ConflictChoice, type EditConflict, type EditView } from '../../src-shared/index.ts';
import { decodeText, encodeText, type TextEncoding } from '../platform/index.ts';
import type { Actor } from './contract.ts';
import type { EditRow } from './edit-row.ts';
import { readEntry } from './entry.ts';
import { diffRegion } from './line-diff.ts';
import { mergeTexts, type Merged } from './merge.ts';
import { findInPast, type PastParts, type PastState } from './past.ts';
import { performOne, type Perform } from './perform.ts';
import { notApplied } from './refusals.ts';

/** Texts up to this many bytes are compared and merged. */
const MOST_BYTES = 1024 * 1024;
const NOTHING = new Uint8Array(0);

/** Edits whose file has changed since. */
export interface Conflicts {
  describe(editId: number): Promise<EditConflict>;
  /** The caller holds the lock of the path. */
  settle(editId: number, choice: ConflictChoice, actor: Actor): Promise<EditView>;
}

export function createConflicts(parts: PastParts & { perform: Perform }): Conflicts {
  const { journal, files } = parts;

  /** @throws CausewayError `conflict` when the edit does not stand, so that there is nothing to take back. */
  function standing(editId: number): EditRow {
    const edit = originalOf(editId);
    if (edit.state !== 'applied') throw notApplied(edit);
    return edit;
  }

  /** The edit that was asked for: of an undo or a redo the one that it is about. */
  function originalOf(editId: number): EditRow {
    const edit = journal.find(editId);
    if (!edit) throw new CausewayError('not_found', `There is no edit ${editId} in the history.`);
    return edit.of === null ? edit : originalOf(edit.of);
  }

  return {
    async describe(editId) {
      const edit = standing(editId);
      const { before, after } = await findInPast(parts, edit);
      const now = await readEntry(files, edit.path);
      const [texts, encoding] = [{ before: textOf(edit, before), current: textOf(edit, now) }, encodingOf(edit)];
      const merged = mergeAll(edit, { base: textOf(edit, after), ours: texts.current, theirs: texts.before });
      const diffTo = (text: string | null | undefined): ReturnType<typeof diffBetween> =>
        encoding === undefined || text === undefined || texts.current === undefined
          ? { hunks: [], cut: false }
          : diffBetween(texts.current ?? '', text ?? '');
      const [toBefore, toMerged] = [diffTo(texts.before), diffTo(merged?.text)];
      return {
        editId: edit.id,
        path: edit.path,
        ...(texts.before !== undefined && { before: texts.before }),
        ...(texts.current !== undefined && { current: texts.current }),
        ...(merged && { merged }),
        toBefore: toBefore.hunks,
        toMerged: toMerged.hunks,
        ...((toBefore.cut || toMerged.cut) && { cut: true }),
      };
    },
    async settle(editId, choice, actor) {
      const edit = standing(editId);
      const now = await readEntry(files, edit.path);
      const wanted = 'text' in choice ? textEntry(edit, choice.text) : (await findInPast(parts, edit)).before;
      if (wanted === undefined) throw forgotten(edit);
      const setsMode = now === null || edit.modeAfter !== null;
      const mode = wanted !== null && setsMode && edit.mode !== null ? { mode: edit.mode } : {};
      return performOne(parts.perform, {
        ...{ path: edit.path, actor, kind: 'undo', of: edit.id },
        before: now,
        after: wanted && { ...wanted, ...mode },
      });
    },
  };
}

function mergeAll(
  { id }: EditRow,
  { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string | null | undefined>,
): Merged | undefined {
  // A file that is not there has nothing to merge.
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return undefined;
  return mergeTexts({ base, ours, theirs }, { ours: 'as it is now', theirs: `before edit ${id}` });
}

function textOf(edit: EditRow, state: PastState): string | null | undefined {
  if (state === null || state === undefined) return state;
  const encoding = encodingOf(edit);
  if (encoding === undefined || state.type === 'folder' || state.bytes.length > MOST_BYTES) return undefined;
  return decodeText(state.bytes, encoding);
}

function textEntry(edit: EditRow, text: string): NonNullable<PastState> {
  const encoding = encodingOf(edit);
  const bytes = encoding && encodeText(text, encoding);
  if (!bytes) {
    throw new CausewayError(
      'bad_input',
      `${edit.path} can't hold this text: its encoding lacks one of the characters.`,
    );
  }
  return { type: edit.typeBefore, bytes };
}

function encodingOf({ encoding }: EditRow): TextEncoding | undefined {
  return encoding === 'binary' ? undefined : encoding;
}

function diffBetween(before: string, after: string): ReturnType<typeof diffRegion> {
  const region = { lead: NOTHING, trail: NOTHING, encoding: 'utf8' } as const;
  return diffRegion({ ...region, removed: Buffer.from(before), inserted: Buffer.from(after) }, 1);
}

function forgotten({ id, path }: EditRow): CausewayError {
  return new CausewayError('not_found', `How ${path} was before edit ${id} is not known any more.`, {
    hint: 'The file was changed since by somebody else, and is too large to be kept whole, or too much time has passed.',
  });
}
