import { CausewayError, type EditKind, type EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { BlobStore } from '../store/index.ts';
import { recordContent } from './content.ts';
import type { Change } from './contract.ts';
import { newEdit, toView, type EditSummary } from './edit-row.ts';
import { isAsExpected, sameStat } from './file-check.ts';
import type { Journal } from './journal.ts';
import { settleEdit } from './settle.ts';

/** A change that is ready to be made: what it is called, and which edit it takes back or does again. */
export interface Step extends Change {
  kind: EditKind;
  of?: number;
  /** Permission bits for a file that is made anew. */
  mode?: number;
  /** What the new bytes must hash to, for one who rebuilds a state that is known. */
  expectedHash?: string | null;
}

/** Makes one change with its record. The caller holds the lock of the path. */
export function createPerform(parts: {
  journal: Journal;
  files: FileOperator;
  blobs: BlobStore;
  owner: string;
  onEdit: (edit: EditView) => void;
}): (step: Step) => Promise<EditView> {
  const { journal, blobs, owner, onEdit } = parts;

  /** Journal first, then the file, then the mark: whatever dies in between, hashes tell what happened. */
  async function perform(step: Step): Promise<EditView> {
    const { path, before, after, actor } = step;
    const files = actor.files ?? parts.files;
    const seen = await files.stat(path);
    // Side by side: reading waits for the disk while hashing works.
    const [isAsSeen, { content, pieces }] = await Promise.all([
      isAsExpected(files, path, seen, before),
      recordContent(blobs, before, after),
    ]);
    if (!isAsSeen) throw changedMeanwhile(path);
    if (step.expectedHash !== undefined && step.expectedHash !== content.afterHash) throw damaged(step);
    const row = newEdit({ path, actor, mode: seen?.mode ?? null }, content, { kind: step.kind, of: step.of, owner });
    const pending = journal.begin(row);
    try {
      // Compared again only if something touched it while it was being recorded.
      const now = await files.stat(path);
      const untouched = sameStat(seen, now) || (await isAsExpected(files, path, now, before));
      if (!untouched) {
        journal.close(pending.id, 'dropped');
        throw changedMeanwhile(path);
      }
      if (pieces === null) await files.remove(path);
      else await files.write(path, pieces, step.mode === undefined ? {} : { mode: step.mode });
    } catch (error) {
      return await afterFailure(files, pending, error);
    }
    return announce(journal.finish(pending.id), pending);
  }

  /** A write that failed may still have reached the file: the file itself says so. */
  async function afterFailure(files: FileOperator, pending: EditSummary, error: unknown): Promise<EditView> {
    const settled = await settleEdit(journal, files, pending).catch(() => undefined);
    if (settled?.outcome !== 'finished') throw error;
    onEdit(settled.edit);
    return settled.edit;
  }

  function announce(finished: EditSummary | undefined, pending: EditSummary): EditView {
    if (!finished) {
      throw new CausewayError('internal', `Edit ${pending.id} of ${pending.path} was settled by somebody else.`);
    }
    const view = toView(finished);
    onEdit(view);
    return view;
  }

  return perform;
}

function changedMeanwhile(path: string): CausewayError {
  return new CausewayError('conflict', `${path} was changed by somebody else while it was being edited.`, {
    hint: 'Nothing was written. Look at the file and try again.',
  });
}

function damaged({ path, of }: Step): CausewayError {
  return new CausewayError('internal', `The history of edit ${of} of ${path} is damaged: its bytes can't be rebuilt.`, {
    hint: 'The file was left as it is.',
  });
}
