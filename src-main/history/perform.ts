import path from 'node:path';
import { CausewayError, describeError, type EditKind, type EditView, type EntryType } from '../../src-shared/index.ts';
import type { FileOperator, FileStat } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import { recordContent } from './content.ts';
import type { Actor, Patch } from './contract.ts';
import { entryTypes, newEdit, toView, type EditSummary, type EntryChange, type NewEdit } from './edit-row.ts';
import { isEntry, isSettled, sameStat } from './entry.ts';
import { inParallel } from './in-parallel.ts';
import type { Journal } from './journal.ts';
import { beingChanged, changedMeanwhile, damaged } from './refusals.ts';
import { settleEdit } from './settle.ts';
import type { Versions } from './versions.ts';
import {
  compareByDepth,
  isModeOnly,
  makeChange,
  rankOf,
  RANKS,
  type Replacement,
  writeIfStill,
} from './write-entry.ts';

/** A change that is ready to be made: what it is called, and which edit it takes back or does again. */
export interface Step {
  path: string;
  actor: Actor;
  kind: EditKind;
  of?: number;
  before: { type: EntryType; bytes: Uint8Array } | null;
  after: { type: EntryType; bytes: Uint8Array | Patch; /** Exactly these permission bits. */ mode?: number } | null;
  /** What the new bytes must hash to, for one who rebuilds a state that is known. */
  expectedHash?: string | null;
  /** What `files.stat` said right before `before` was read: then it is not read once more. */
  seen?: FileStat | null;
}

export type Outcome = { edit: EditView } | { error: CausewayError };

/** A step that is about to be recorded. */
interface Prepared {
  step: Step;
  files: FileOperator;
  seen: FileStat | null;
  /** Whether the file held what the step says when it was looked at. */
  isAsSeen: Promise<boolean>;
  row: NewEdit;
  replacement: Replacement;
}

/**
 * Makes changes with their records, each to a path of its own; what happens to one does not stop the others. The caller holds the
 * locks of the paths, and closes folders in the end (see `openMode`).
 */
export type Perform = (steps: readonly Step[]) => Promise<Outcome[]>;

export function createPerform(parts: {
  journal: Journal;
  files: FileOperator;
  blobs: ByteStore;
  versions: Versions;
  owner: string;
  onEdit: (edit: EditView) => void;
}): Perform {
  const { journal, blobs, versions, owner, onEdit } = parts;

  async function prepare(step: Step, syncsFolder: boolean): Promise<Prepared> {
    const { path: file, before, after, actor } = step;
    const files = actor.files ?? parts.files;
    // Looking and reading wait for the disk while all up to the record is worked out.
    const looked = step.seen === undefined ? files.stat(file, { follow: false }) : Promise.resolve(step.seen);
    const isAsSeen = looked.then((stat) =>
      step.seen === undefined ? isEntry(files, file, stat, before) : isSettled(stat),
    );
    isAsSeen.catch(() => undefined);
    const [seen, { content, pieces }] = await Promise.all([
      looked,
      recordContent(blobs, before && before.bytes, after && after.bytes),
    ]);
    if (step.expectedHash !== undefined && step.expectedHash !== content.afterHash) throw damaged(step.path, step.of);
    const entry: EntryChange = {
      ...entryTypes(before, after),
      mode: before === null || before.type === 'symlink' ? null : (seen?.mode ?? null),
      modeAfter: after?.mode ?? null,
    };
    const row = newEdit({ path: file, actor, entry }, content, { kind: step.kind, of: step.of, owner });
    const replacement: Replacement = {
      path: file,
      syncsFolder,
      before: before && before.type,
      after: after && pieces && { type: after.type, pieces, ...(after.mode !== undefined && { mode: after.mode }) },
      modeOnly: isModeOnly(row),
    };
    return { step, files, seen, isAsSeen, row, replacement };
  }

  /** The file after the record: compared again only if something may have touched it meanwhile. */
  async function change({ files, seen, isAsSeen, step, replacement }: Prepared, edit: EditSummary): Promise<void> {
    const wasAsSeen = await isAsSeen;
    if (wasAsSeen && (await writeIfStill(files, replacement, seen))) return;
    const now = await files.stat(step.path, { follow: false });
    const untouched = (wasAsSeen && sameStat(seen, now)) || (await isEntry(files, step.path, now, step.before));
    if (!untouched) {
      journal.close(edit.id, 'dropped');
      throw changedMeanwhile(step.path);
    }
    await makeChange(files, replacement);
  }

  /** A write that failed may still have reached the file: the file itself says so. */
  async function afterFailure(files: FileOperator, pending: EditSummary, error: unknown): Promise<Outcome> {
    const settled = await settleEdit(journal, files, pending).catch(() => undefined);
    if (settled?.outcome !== 'finished') return { error: asCausewayError(error) };
    return { edit: settled.edit };
  }

  function keepVersion(edit: EditSummary, { after }: Step, replacement: Replacement): void {
    const pieces = after?.type === 'folder' ? undefined : replacement.after?.pieces;
    versions.note(edit, pieces === undefined ? null : pieces);
  }

  /** Journal first, then the files, then the marks: whatever dies in between, hashes tell what happened. */
  return async (steps) => {
    const outcomes = new Map<Step, Outcome>();
    const prepared: Prepared[] = [];
    await inParallel(steps, async (step) => {
      try {
        prepared.push(await prepare(step, steps.length === 1));
      } catch (error) {
        outcomes.set(step, { error: asCausewayError(error) });
      }
    });

    // Records stand in the order of the steps, whichever was ready first.
    const order = new Map(steps.map((step, index) => [step, index]));
    prepared.sort((a, b) => (order.get(a.step) ?? 0) - (order.get(b.step) ?? 0));
    const pending = journal.begin(prepared.map(({ row }) => row));
    const begun = prepared.flatMap((one, index) => {
      const edit = pending[index];
      if (edit) return [{ ...one, pending: edit }];
      outcomes.set(one.step, { error: beingChanged(one.step.path) });
      return [];
    });

    const made: typeof begun = [];
    async function makeOne(one: (typeof begun)[number]): Promise<void> {
      try {
        await change(one, one.pending);
        made.push(one);
      } catch (error) {
        outcomes.set(one.step, await afterFailure(one.files, one.pending, error));
      }
    }
    for (const rank of RANKS) {
      const ranked = begun
        .filter(({ replacement: { before, after } }) => rankOf(before, after && after.type) === rank)
        .sort((a, b) => compareByDepth(rank, a.step.path, b.step.path));
      if (rank === 'gone' || rank === 'files') await inParallel(ranked, makeOne);
      else for (const one of ranked) await makeOne(one);
    }

    await syncFolders(made);
    const finished = journal.finish(made.map(({ pending: { id } }) => id));
    made.forEach(({ step, replacement, pending: { id } }, index) => {
      const edit = finished[index];
      outcomes.set(step, edit ? { edit: toView(edit) } : { error: settledElsewhere(id, step.path) });
      if (edit) keepVersion(edit, step, replacement);
    });
    const results = steps.map((step) => outcomes.get(step) ?? { error: settledElsewhere(step.of ?? 0, step.path) });
    for (const outcome of results) if ('edit' in outcome) onEdit(outcome.edit);
    return results;
  };
}

/** One change; what goes wrong is thrown. */
export async function performOne(perform: Perform, step: Step): Promise<EditView> {
  const [outcome] = await perform([step]);
  if (outcome && 'edit' in outcome) return outcome.edit;
  throw outcome?.error ?? settledElsewhere(0, step.path);
}

/** Of many files in one folder one sync is enough; a single one has had its own. */
async function syncFolders(made: readonly Prepared[]): Promise<void> {
  const folders = new Map<string, FileOperator>();
  for (const { step, files, replacement } of made) {
    if (!replacement.syncsFolder) folders.set(path.dirname(step.path), files);
  }
  // A folder that is gone needs none.
  await inParallel([...folders], async ([folder, files]) => files.syncFolder(folder).catch(() => undefined));
}

function asCausewayError(error: unknown): CausewayError {
  if (error instanceof CausewayError) return error;
  return new CausewayError('internal', describeError(error), { cause: error });
}

function settledElsewhere(id: number, path: string): CausewayError {
  return new CausewayError('internal', `Edit ${id} of ${path} was settled by somebody else.`);
}
