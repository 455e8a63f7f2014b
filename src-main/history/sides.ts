import { promisify } from 'node:util';
import { deflate, inflate, inflateSync } from 'node:zlib';
import type { ByteStore } from '../store/index.ts';

/** Up to this many bytes a side of a splice is kept in its row; above, deflated in the blob store. */
export const INLINE_BYTES = 16 * 1024;
/** Up to this many bytes a side is kept and unpacked for showing. */
export const SHOWN_BYTES = 1024 * 1024;

const compress = promisify(deflate);
const expand = promisify(inflate);

/** One side of a splice as a row holds it. Neither bytes nor blob: only its size was kept. */
export interface StoredSide {
  bytes: Uint8Array | null;
  blob: string | null;
  size: number;
}

/** Keeps one side; durable when it returns, as far as it is not in the row itself. */
export async function storeSide(blobs: ByteStore, bytes: Uint8Array): Promise<StoredSide> {
  if (bytes.length <= INLINE_BYTES) return { bytes, blob: null, size: bytes.length };
  const { sha256 } = blobs.put(await compress(bytes));
  return { bytes: null, blob: sha256, size: bytes.length };
}

/** @throws CausewayError `not_found` when the blob is gone. */
export async function loadSide(blobs: ByteStore, side: StoredSide): Promise<Uint8Array> {
  if (side.bytes) return side.bytes;
  return side.blob === null ? new Uint8Array(0) : expand(blobs.read(side.blob));
}

/** A side for showing; undefined when it was too large to keep or to show. */
export function loadShownSide(blobs: ByteStore, side: StoredSide): Uint8Array | undefined {
  if (side.bytes) return side.bytes;
  return side.blob === null || side.size > SHOWN_BYTES ? undefined : inflateSync(blobs.read(side.blob));
}
