/** A change to bytes: at `offset`, `removed` gives way to `inserted`. */
export interface Splice {
  offset: number;
  removed: Uint8Array;
  inserted: Uint8Array;
}

/** Bytes compared at a time, coarse to fine: equal blocks go through memcmp, only the last one is looked at byte by byte. */
const BLOCKS = [1024 * 1024, 16 * 1024, 256] as const;

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

/** The bytes after a splice of `before`, as pieces: views, no copies. */
export function piecesAfter(before: Uint8Array, { offset, removed, inserted }: Splice): Uint8Array[] {
  const rest = before.subarray(offset + removed.length);
  return [before.subarray(0, offset), inserted, rest].filter((piece) => piece.length > 0);
}

function commonPrefix(a: Uint8Array, b: Uint8Array, limit: number): number {
  let at = 0;
  for (const block of BLOCKS) {
    while (at + block <= limit && same(a, b, at, at, block)) at += block;
  }
  while (at < limit && a[at] === b[at]) at += 1;
  return at;
}

function commonSuffix(a: Uint8Array, b: Uint8Array, limit: number): number {
  let length = 0;
  for (const block of BLOCKS) {
    while (length + block <= limit && same(a, b, a.length - length - block, b.length - length - block, block)) {
      length += block;
    }
  }
  while (length < limit && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}

function same(a: Uint8Array, b: Uint8Array, atA: number, atB: number, length: number): boolean {
  return Buffer.compare(a.subarray(atA, atA + length), b.subarray(atB, atB + length)) === 0;
}
