/** A change to bytes: at `offset`, `removed` gives way to `inserted`. */
export interface Splice {
  offset: number;
  removed: Uint8Array;
  inserted: Uint8Array;
}

/** Bytes compared at a time: whole blocks go through memcmp, only the one that differs is looked at byte by byte. */
const BLOCK_BYTES = 64 * 1024;

/** The smallest single splice that turns `before` into `after`, on code units of `width` bytes. Views, no copies. */
export function spliceBetween(before: Uint8Array, after: Uint8Array, width: 1 | 2 = 1): Splice {
  const shorter = Math.min(before.length, after.length);
  const prefix = commonPrefix(before, after, shorter);
  const start = prefix - (prefix % width);
  const suffix = commonSuffix(before, after, shorter - start);
  const end = suffix - (suffix % width);
  return {
    offset: start,
    removed: before.subarray(start, before.length - end),
    inserted: after.subarray(start, after.length - end),
  };
}

/** What `after` was before a splice that put `insertedLength` bytes in the place of `removed`. */
export function reverseSplice(
  after: Uint8Array,
  { offset, removed, insertedLength }: { offset: number; removed: Uint8Array; insertedLength: number },
): Buffer {
  return Buffer.concat([after.subarray(0, offset), removed, after.subarray(offset + insertedLength)]);
}

function commonPrefix(a: Uint8Array, b: Uint8Array, limit: number): number {
  let at = 0;
  while (at < limit) {
    const next = Math.min(at + BLOCK_BYTES, limit);
    if (!same(a, b, at, at, next - at)) break;
    at = next;
  }
  while (at < limit && a[at] === b[at]) at += 1;
  return at;
}

function commonSuffix(a: Uint8Array, b: Uint8Array, limit: number): number {
  let length = 0;
  while (length < limit) {
    const next = Math.min(length + BLOCK_BYTES, limit);
    if (!same(a, b, a.length - next, b.length - next, next - length)) break;
    length = next;
  }
  while (length < limit && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}

function same(a: Uint8Array, b: Uint8Array, atA: number, atB: number, length: number): boolean {
  return Buffer.compare(a.subarray(atA, atA + length), b.subarray(atB, atB + length)) === 0;
}
