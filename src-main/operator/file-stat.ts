import { lstatSync, statSync, type BigIntStats, type Dirent } from 'node:fs';
import type { FileKind, FileStat } from './contract.ts';
import { errorName } from './file-errors.ts';
import { isOwnPlace } from './real-path.ts';

/** See `FileOperator.stat`. @throws the system's error. */
export function statFile(file: string, follow: boolean): FileStat | null {
  try {
    const stats = (follow ? statSync : lstatSync)(file, { bigint: true });
    if (!follow && !isOwnPlace(file)) return null;
    return {
      kind: kindOf(stats),
      size: Number(stats.size),
      mode: Number(stats.mode) & 0o7777,
      mtimeMs: Number(stats.mtimeNs) / 1e6,
      stamp: [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':'),
    };
  } catch (error) {
    const name = errorName(error);
    // Links on the way that lead in a circle are none to follow.
    if (name === 'ENOENT' || name === 'ENOTDIR' || (name === 'ELOOP' && !follow)) return null;
    throw error;
  }
}

/** True when nothing suggests that the file was touched between two looks at it. */
export function sameStat(a: FileStat | null, b: FileStat | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.stamp === b.stamp && a.mode === b.mode;
}

export function kindOf(entry: BigIntStats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
