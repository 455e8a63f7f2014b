import type { FileOperator, FileStat } from '../operator/index.ts';

/** Bytes compared at a time. */
const PIECE_BYTES = 8 * 1024 * 1024;

/** True when the file holds exactly these bytes (null: when there is none). Never holds two copies of a large file. */
export async function fileHolds(files: FileOperator, path: string, expected: Uint8Array | null): Promise<boolean> {
  const stat = await files.stat(path);
  if (stat === null || expected === null) return stat === null && expected === null;
  if (stat.kind !== 'file' || stat.size !== expected.length) return false;
  for (let offset = 0; offset < expected.length; offset += PIECE_BYTES) {
    const piece = expected.subarray(offset, offset + PIECE_BYTES);
    const found = await files.read(path, { offset, length: piece.length });
    if (Buffer.compare(piece, found) !== 0) return false;
  }
  return true;
}

/** True when nothing suggests that the file was written between two looks at it. */
export function sameStat(a: FileStat | null, b: FileStat | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
