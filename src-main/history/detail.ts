import type { EditDetail } from '../../src-shared/index.ts';
import type { ByteStore } from '../store/index.ts';
import { toView, type EditRow } from './edit-row.ts';
import { diffRegion } from './line-diff.ts';
import { loadShownSide } from './sides.ts';

/** An edit with what it changed, from its row alone: the file may have changed or gone since. */
export function toDetail(row: EditRow, blobs: ByteStore): EditDetail {
  const { mode: before, modeAfter: after } = row;
  const facts = {
    ...toView(row),
    ...{ sizeBefore: row.beforeSize, sizeAfter: row.afterSize },
    ...(before !== null && after !== null && before !== after && { mode: { before, after } }),
  };
  if (row.encoding === 'binary') return { ...facts, binary: true, hunks: [], cut: false };
  const removed = loadShownSide(blobs, { bytes: row.removed, blob: row.removedBlob, size: row.removedSize });
  const inserted = loadShownSide(blobs, { bytes: row.inserted, blob: row.insertedBlob, size: row.insertedSize });
  if (!removed || !inserted) return { ...facts, binary: false, hunks: [], cut: true };
  const { lead, trail, encoding, line } = row;
  return { ...facts, binary: false, ...diffRegion({ lead, removed, inserted, trail, encoding }, line) };
}
