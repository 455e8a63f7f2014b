import { detectEncoding, lineEnd, lineNumberAt, lineStart, unitWidth, type TextEncoding } from '../platform/index.ts';
import type { BlobStore } from '../store/index.ts';
import { countChangedLines } from './line-diff.ts';
import { digest } from './digest.ts';
import type { EditContent } from './edit-row.ts';
import { INLINE_BYTES, SHOWN_BYTES, storeSide, type StoredSide } from './sides.ts';
import { spliceBetween, type Splice } from './splice.ts';

/** Unchanged lines kept on each side of a change, so that it can be shown whatever becomes of the file. */
const CONTEXT_LINES = 3;
/** The most of those lines, in bytes a side. */
const CONTEXT_BYTES = 2048;

const NOTHING = new Uint8Array(0);

/** A change as the journal keeps it. What is not in the row itself is durable in the blob store when this returns. */
export async function recordContent(
  blobs: BlobStore,
  before: Uint8Array | null,
  after: Uint8Array | null,
): Promise<EditContent> {
  const encoding = commonEncoding(before, after);
  const splice = chooseSplice(before ?? NOTHING, after ?? NOTHING, encoding);
  const [beforeHash, afterHash, removed, inserted, around] = await Promise.all([
    digest(before),
    digest(after),
    storeSide(blobs, splice.removed),
    storeShown(blobs, splice.inserted, encoding),
    surroundings(before ?? NOTHING, splice, encoding),
  ]);
  const counts =
    encoding === 'binary' ? { added: 0, removed: 0 } : countChangedLines({ ...splice, ...around, encoding });
  return {
    beforeHash,
    afterHash,
    beforeSize: before?.length ?? null,
    afterSize: after?.length ?? null,
    encoding,
    offset: splice.offset,
    removed: removed.bytes,
    removedBlob: removed.blob,
    removedSize: removed.size,
    inserted: inserted.bytes,
    insertedBlob: inserted.blob,
    insertedSize: inserted.size,
    ...around,
    added: counts.added,
    removedLines: counts.removed,
  };
}

/** The encoding in which both states can be shown side by side. */
function commonEncoding(before: Uint8Array | null, after: Uint8Array | null): TextEncoding | 'binary' {
  const states = [before, after].filter((bytes) => bytes !== null && bytes.length > 0);
  const encodings = new Set(states.map((bytes) => (bytes ? detectEncoding(bytes) : undefined)));
  const [first] = encodings;
  return encodings.size === 0 ? 'utf8' : encodings.size === 1 && first !== undefined ? first : 'binary';
}

/** Where most of a long file changed, the whole of it is the splice: then equal states share one blob. */
function chooseSplice(before: Uint8Array, after: Uint8Array, encoding: TextEncoding | 'binary'): Splice {
  const splice = spliceBetween(before, after, encoding === 'binary' ? 1 : unitWidth(encoding));
  const mostly = splice.removed.length > INLINE_BYTES && splice.removed.length * 2 > before.length;
  return mostly ? { offset: 0, removed: before, inserted: after } : splice;
}

/** What was put in is kept for showing only: taking back needs what was taken out. */
async function storeShown(blobs: BlobStore, bytes: Uint8Array, encoding: TextEncoding | 'binary'): Promise<StoredSide> {
  const shown = bytes.length <= INLINE_BYTES || (bytes.length <= SHOWN_BYTES && encoding !== 'binary');
  return shown ? storeSide(blobs, bytes) : { bytes: null, blob: null, size: bytes.length };
}

async function surroundings(
  before: Uint8Array,
  { offset, removed }: Splice,
  encoding: TextEncoding | 'binary',
): Promise<{ lead: Uint8Array; trail: Uint8Array; line: number }> {
  if (encoding === 'binary') return { lead: NOTHING, trail: NOTHING, line: 1 };
  const start = lineStart(before, encoding, offset, CONTEXT_LINES, Math.max(0, offset - CONTEXT_BYTES));
  const end = offset + removed.length;
  const window = before.subarray(end, end + CONTEXT_BYTES);
  return {
    lead: before.subarray(start, offset),
    trail: window.subarray(0, lineEnd(window, encoding, 0, CONTEXT_LINES)),
    line: await lineNumberAt(before, encoding, start),
  };
}
