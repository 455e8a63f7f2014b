import { createHash, hash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes hashed between two turns of the event loop: about 4 ms. Another thread would cost a copy as dear as the hash. */
const SLICE_BYTES = 8 * 1024 * 1024;

/** SHA-256 in hexadecimal; null for a file that is not there. */
export async function digest(bytes: Uint8Array | null): Promise<string | null> {
  if (bytes === null) return null;
  if (bytes.length <= SLICE_BYTES) return hash('sha256', bytes, 'hex');
  const state = createHash('sha256');
  await update(state, bytes);
  return state.digest('hex');
}

/** The digests of two states of a file that begin with the same bytes, which are hashed once; then each has its own. */
export async function digestBoth(
  common: Uint8Array,
  before: Uint8Array,
  after: readonly Uint8Array[],
): Promise<[before: string, after: string]> {
  const first = createHash('sha256');
  await update(first, common);
  const second = first.copy();
  await update(first, before);
  for (const piece of after) await update(second, piece);
  return [first.digest('hex'), second.digest('hex')];
}

async function update(state: Hash, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await nextTurn();
    state.update(bytes.subarray(at, at + SLICE_BYTES));
  }
}
