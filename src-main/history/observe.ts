import type { EditKind, EditView } from '../../src-shared/index.ts';
import type { ByteStore } from '../store/index.ts';
import { recordContent } from './content.ts';
import type { Entry, Observed } from './contract.ts';
import { digest } from './digest.ts';
import { entryTypes, newEdit, toView, type EditSummary, type EntryChange } from './edit-row.ts';
import { isSameEntry, stateOf } from './entry.ts';
import { findGap } from './gap.ts';
import type { Journal, LateEdit } from './journal.ts';
import type { KeyLock } from './path-lock.ts';
import { bytesBefore } from './past.ts';
import { beingChanged } from './refusals.ts';
import type { Versions } from './versions.ts';

/** A change as it is to be recorded: what the edits of its path tell already is not in it. */
interface Part {
  before: Entry | null;
  after: Entry | null;
  /** Edits that it belongs below, the oldest first. */
  below: readonly EditSummary[];
}

/** Makes edits out of changes that were made without the history; see `History.observe`. */
export function createObserve(parts: {
  journal: Journal;
  blobs: ByteStore;
  versions: Versions;
  owner: string;
  onEdit: (edit: EditView) => void;
  lock: KeyLock;
  /** Settles what a dead writer left pending on a path, of which the lock is held. */
  clearPath: (path: string) => Promise<void>;
}): (changes: readonly Observed[]) => Promise<EditView[]> {
  const { journal, blobs, versions, owner, onEdit, lock, clearPath } = parts;

  /** Where an edit is half made nobody can say what the change began or ended with: whoever looked has to look again. */
  async function settlePending(changes: readonly Observed[]): Promise<void> {
    const paths = new Set(changes.map(({ path }) => path));
    const pending = journal.pending().filter(({ path }) => paths.has(path));
    for (const { path } of pending) await lock.run(path, () => clearPath(path));
    const [first] = pending;
    if (first) throw beingChanged(first.path);
  }

  async function partOf({ path, before, after, since }: Observed): Promise<Part> {
    const whole = { before, after, below: [] };
    const edits = journal.happened(path, since);
    if (edits.length === 0) return whole;
    const gap = findGap(await stateOf(before), await stateOf(after), edits);
    if (gap.where === 'nowhere') return { before: after, after, below: [] };
    if (gap.where === 'below') {
      const found = await goBack(after, gap.edits);
      return found === undefined ? whole : { before, after: found, below: gap.edits };
    }
    if (!gap.of) return whole;
    const left = await leftBy(gap.of);
    return left === undefined ? whole : { before: left, after, below: [] };
  }

  /** What was there before these edits, which led to `entry`; undefined when that can't be told any more. */
  async function goBack(entry: Entry | null, edits: readonly EditSummary[]): Promise<Entry | null | undefined> {
    let current = entry;
    for (const { id } of edits.toReversed()) {
      const edit = journal.find(id);
      const before = edit && (await bytesBefore(blobs, edit, current));
      if (before === undefined) return undefined;
      const mode = before?.type === 'symlink' ? null : (edit?.mode ?? current?.mode ?? null);
      current = before && { ...before, mode };
      if ((await digest(current && current.bytes)) !== edit?.beforeHash) return undefined;
    }
    return current;
  }

  async function leftBy({
    id,
    afterHash,
    typeAfter: type,
    mode,
    modeAfter,
  }: EditSummary): Promise<Part['before'] | undefined> {
    if (afterHash === null) return null;
    const bytes = type === 'folder' ? new Uint8Array(0) : await versions.read(id);
    return bytes && { type, bytes, mode: type === 'symlink' ? null : (modeAfter ?? mode) };
  }

  return async (changes) => {
    await settlePending(changes);
    const late: LateEdit[] = [];
    const noted = new Map<string, Uint8Array | undefined>();
    for (const change of changes) {
      const { path, actor } = change;
      const newest = journal.last(path)?.id;
      const { below, ...part } = await partOf(change);
      const { before, after } = part;
      if (isSameEntry(before, after)) continue;
      const { content } = await recordContent(blobs, before && before.bytes, after && after.bytes);
      const row = newEdit({ path, actor, entry: entryChange(part) }, content, { kind: kindOf(part), owner });
      late.push({ row, newest, below: below.map(({ id }) => id) });
      noted.set(path, after?.type === 'folder' ? undefined : after?.bytes);
    }
    const added = journal.add(late);
    for (const edit of added) {
      const after = noted.get(edit.path);
      versions.note(edit, after ? [after] : null);
      onEdit(toView(edit));
    }
    return added.map(toView);
  };
}

function kindOf({ before, after }: Pick<Part, 'before' | 'after'>): EditKind {
  if (before === null) return 'create';
  return after === null ? 'delete' : 'modify';
}

function entryChange({ before, after }: Pick<Part, 'before' | 'after'>): EntryChange {
  const changed = after !== null && after.mode !== before?.mode;
  return {
    ...entryTypes(before, after),
    mode: before?.mode ?? null,
    modeAfter: changed ? after.mode : null,
  };
}
