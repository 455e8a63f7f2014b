import type { FileOperator } from '../operator/index.ts';
import { digest } from './digest.ts';
import { toView, type EditSummary } from './edit-row.ts';
import type { Journal } from './journal.ts';
import type { EditView } from '../../src-shared/index.ts';

/** What became of an edit that was half done. `elsewhere`: another process settled it. */
export type Settled = { outcome: 'finished' | 'conflict'; edit: EditView } | { outcome: 'dropped' | 'elsewhere' };

/**
 * Settles a pending edit whose writer is gone or has failed, by what the file holds: the new bytes, it was made; the old, it
 * was not; neither, it is left to the person.
 * @throws CausewayError when the file can't be read; the edit stays pending then.
 */
export async function settleEdit(journal: Journal, files: FileOperator, edit: EditSummary): Promise<Settled> {
  await files.settle(edit.path);
  const found = await hashOfFile(files, edit.path);
  if (found === edit.afterHash) {
    const finished = journal.finish(edit.id);
    return finished ? { outcome: 'finished', edit: toView(finished) } : { outcome: 'elsewhere' };
  }
  if (found === edit.beforeHash) {
    return { outcome: journal.close(edit.id, 'dropped') ? 'dropped' : 'elsewhere' };
  }
  const closed = journal.close(edit.id, 'conflict');
  return closed ? { outcome: 'conflict', edit: toView({ ...edit, state: 'conflict' }) } : { outcome: 'elsewhere' };
}

async function hashOfFile(files: FileOperator, path: string): Promise<string | null> {
  const stat = await files.stat(path);
  if (stat === null) return null;
  // A folder where the file was is neither old nor new.
  return stat.kind === 'file' ? digest(await files.read(path)) : 'not a file';
}
