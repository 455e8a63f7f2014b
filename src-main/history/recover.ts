import { CausewayError, type EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { RecoveryReport } from './contract.ts';
import type { Journal } from './journal.ts';
import { ownerLives } from './owner.ts';
import type { KeyLock } from './path-lock.ts';
import { settleEdit } from './settle.ts';

/**
 * Settles every pending edit whose owner is dead. An edit that a living process is just writing is left to it; one whose file
 * can't be read now stays pending for the next start.
 */
export async function recoverEdits(parts: {
  journal: Journal;
  files: FileOperator;
  owner: string;
  onEdit: (edit: EditView) => void;
  lock: KeyLock;
}): Promise<RecoveryReport> {
  const { journal, files, owner, onEdit, lock } = parts;
  const report: RecoveryReport = { finished: 0, dropped: 0, conflicts: [] };
  for (const edit of journal.pending()) {
    await lock.run(edit.path, async () => {
      if (ownerLives(edit.owner) || !journal.claim(edit, owner)) return;
      try {
        const settled = await settleEdit(journal, files, edit);
        if (settled.outcome === 'finished') {
          report.finished += 1;
          onEdit(settled.edit);
        }
        if (settled.outcome === 'dropped') report.dropped += 1;
        if (settled.outcome === 'conflict') report.conflicts.push(settled.edit);
      } catch (error) {
        if (!(error instanceof CausewayError)) throw error;
      }
    });
  }
  return report;
}
