import { createHash, hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes hashed between two turns of the event loop: about 4 ms. Another thread would cost a copy as dear as the hash. */
const SLICE_BYTES = 8 * 1024 * 1024;

/** SHA-256 in hexadecimal; null for a file that is not there. */
export async function digest(bytes: Uint8Array | null): Promise<string | null> {
  if (bytes === null) return null;
  if (bytes.length <= SLICE_BYTES) return hash('sha256', bytes, 'hex');
  const state = createHash('sha256');
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    state.update(bytes.subarray(at, at + SLICE_BYTES));
    await nextTurn();
  }
  return state.digest('hex');
}
