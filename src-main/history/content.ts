import { isAscii } from 'node:buffer';
import {
  characterStart,
  countLineFeeds,
  detectEncoding,
  lineEnd,
  lineNumberAt,
  lineStart,
  unitWidth,
  type TextEncoding,
} from '../platform/index.ts';
import type { ByteStore } from '../store/index.ts';
import type { Patch } from './contract.ts';
import { digest, digestBoth } from './digest.ts';
import type { EditContent } from './edit-row.ts';
import { countChangedLines } from './line-diff.ts';
import { INLINE_BYTES, SHOWN_BYTES, storeSide, type StoredSide } from './sides.ts';
import { piecesAfter, spliceBetween, type Splice } from './splice.ts';

/** Unchanged lines kept on each side of a change, so that it can be shown whatever becomes of the file. */
const CONTEXT_LINES = 3;
/** The most of those lines, in bytes a side. */
const CONTEXT_BYTES = 384;
/** The beginning of a file by which its encoding is judged, in bytes: it is for showing, so the rest need not be read. */
const HEAD_BYTES = 64 * 1024;

const NOTHING = new Uint8Array(0);

type Encoding = TextEncoding | 'binary';

/** A change as the journal keeps it, and the new bytes to write (null: none, the file goes). */
export interface Recorded {
  content: EditContent;
  pieces: readonly Uint8Array[] | null;
}

/** Works out what a change is. What is not in `content` itself is durable in the blob store when this returns. */
export async function recordContent(
  blobs: ByteStore,
  before: Uint8Array | null,
  after: Uint8Array | Patch | null,
): Promise<Recorded> {
  const old = before ?? NOTHING;
  const exact = after instanceof Uint8Array || after === null ? undefined : toSplice(old, after);
  const young = after instanceof Uint8Array ? after : NOTHING;
  const encoding = commonEncoding(old, exact ? headAfter(old, exact) : young);
  const splice = widened(exact ?? spliceBetween(old, young, encoding === 'binary' ? 1 : unitWidth(encoding)), old);
  const pieces = after === null ? null : piecesAfter(old, splice);
  const [hashes, removed, inserted, around] = await Promise.all([
    hashesOf(before, splice, pieces),
    storeSide(blobs, splice.removed),
    storeShown(blobs, splice.inserted, encoding),
    surroundings(old, splice, encoding, splice === exact && !(after instanceof Uint8Array) ? after?.line : undefined),
  ]);
  const counts =
    encoding === 'binary' ? { added: 0, removed: 0 } : countChangedLines({ ...splice, ...around, encoding });
  const content: EditContent = {
    ...hashes,
    beforeSize: before?.length ?? null,
    afterSize: pieces?.reduce((sum, piece) => sum + piece.length, 0) ?? null,
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
  return { content, pieces };
}

function toSplice(before: Uint8Array, { offset, length, bytes }: Patch): Splice {
  return { offset, removed: before.subarray(offset, offset + length), inserted: bytes };
}

/** Where most of a long file changed, the whole of it is the splice: then equal states share one blob. */
function widened(splice: Splice, before: Uint8Array): Splice {
  const mostly = splice.removed.length > INLINE_BYTES && splice.removed.length * 2 > before.length;
  if (!mostly) return splice;
  return { offset: 0, removed: before, inserted: Buffer.concat(piecesAfter(before, splice)) };
}

/** The encoding in which both states can be shown side by side. */
function commonEncoding(before: Uint8Array, after: Uint8Array): Encoding {
  const [first, second = first] = [before, after].filter((bytes) => bytes.length > 0).map(judge);
  if (!first || !second) return 'utf8';
  if (first.encoding === second.encoding) return first.encoding ?? 'binary';
  if (first.encoding === undefined || second.encoding === undefined) return 'binary';
  if (unitWidth(first.encoding) !== unitWidth(second.encoding)) return 'binary';
  // Plain ASCII is the same in every encoding.
  if (first.plain) return second.encoding;
  if (second.plain) return first.encoding;
  // One edit can make a file clearer or less clear to judge. What was UTF-8 before or after had another encoding indeed.
  const converted = [first, second].some(({ encoding }) => encoding === 'utf8' || encoding?.startsWith('utf16'));
  if (converted) return 'binary';
  return first.encoding === 'latin1' ? second.encoding : first.encoding;
}

/** By all the bytes there are, as the editor does: a long file may begin with plain ASCII. */
function judge(bytes: Uint8Array): { encoding: TextEncoding | undefined; plain: boolean } {
  const encoding = detectEncoding(bytes);
  return { encoding, plain: encoding === 'utf8' && isAscii(bytes.subarray(0, HEAD_BYTES)) };
}

/** The beginning of the bytes after a splice, a little longer than what is looked at. */
function headAfter(before: Uint8Array, splice: Splice): Uint8Array {
  if (splice.offset > HEAD_BYTES) return before;
  return Buffer.concat(piecesAfter(before, splice).map((piece) => piece.subarray(0, HEAD_BYTES + 1)));
}

async function hashesOf(
  before: Uint8Array | null,
  { offset, removed, inserted }: Splice,
  pieces: readonly Uint8Array[] | null,
): Promise<{ beforeHash: string | null; afterHash: string | null }> {
  if (before === null || pieces === null) {
    return { beforeHash: await digest(before), afterHash: await digest(pieces && Buffer.concat(pieces)) };
  }
  const after = [inserted, before.subarray(offset + removed.length)];
  const [beforeHash, afterHash] = await digestBoth(before.subarray(0, offset), before.subarray(offset), after);
  return { beforeHash, afterHash };
}

/** What was put in is kept for showing only: taking back needs what was taken out. */
async function storeShown(blobs: ByteStore, bytes: Uint8Array, encoding: Encoding): Promise<StoredSide> {
  const shown = bytes.length <= INLINE_BYTES || (bytes.length <= SHOWN_BYTES && encoding !== 'binary');
  return shown ? storeSide(blobs, bytes) : { bytes: null, blob: null, size: bytes.length };
}

/** The unchanged lines around a change. `line` is the number of the first one; `knownLine` that of the change, if known. */
async function surroundings(
  before: Uint8Array,
  { offset, removed }: Splice,
  encoding: Encoding,
  knownLine: number | undefined,
): Promise<{ lead: Uint8Array; trail: Uint8Array; line: number }> {
  if (encoding === 'binary') return { lead: NOTHING, trail: NOTHING, line: 1 };
  const floor = characterStart(before, encoding, Math.max(0, offset - CONTEXT_BYTES));
  const start = lineStart(before, encoding, offset, CONTEXT_LINES, floor);
  const end = offset + removed.length;
  const lead = before.subarray(start, offset);
  const window = before.subarray(end, end + CONTEXT_BYTES);
  const line =
    knownLine === undefined ? await lineNumberAt(before, encoding, start) : knownLine - countLineFeeds(lead, encoding);
  return { lead, trail: window.subarray(0, lineEnd(window, encoding, 0, CONTEXT_LINES)), line };
}
