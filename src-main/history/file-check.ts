import type { FileOperator, FileStat } from '../operator/index.ts';

/**
 * True when the file holds exactly these bytes (null: when there is none).
 * @param stat what `files.stat` just said.
 */
export async function isAsExpected(
  files: FileOperator,
  path: string,
  stat: FileStat | null,
  expected: Uint8Array | null,
): Promise<boolean> {
  if (stat === null || expected === null) return stat === null && expected === null;
  return stat.kind === 'file' && stat.size === expected.length && files.holds(path, expected);
}

/** True when nothing suggests that the file was written between two looks at it. */
export function sameStat(a: FileStat | null, b: FileStat | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
