import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryType } from '../../../src-shared/index.ts';

/** Work at a stretch before the program does other things, in milliseconds. */
const STRETCH_MS = 4;

/** What is looked at in a workspace. */
export interface ScanLimits {
  /** Names of folders that are left out, wherever they are. */
  readonly exclude: readonly string[];
  readonly mostFiles: number;
  /** Of all files together, and of one: larger ones are left out. Bytes. */
  readonly mostBytes: number;
  readonly mostFileBytes: number;
}

/**
 * What tells that something is as it was, without reading it. The change time cannot be set by programs. Of a folder only its
 * permissions count: what is in it speaks for itself.
 */
export interface Stamp {
  readonly type: EntryType;
  readonly key: string;
  readonly size: number;
  readonly mode: number;
}

/** What is in a workspace, by absolute path. */
export interface Scan {
  readonly entries: ReadonlyMap<string, Stamp>;
  /** Files and folders that are not among them although they are not excluded: too large, or not to be read. */
  readonly leftOut: readonly string[];
}

/** Too much to look at: a sentence says what. */
export class TooLarge extends Error {}

/**
 * Looks at every file, symlink and folder below `root`; symlinks are not followed. Quick and never long at a stretch.
 * @throws TooLarge when there is more than the limits allow; the signal's reason.
 */
export async function scanWorkspace(root: string, limits: ScanLimits, signal: AbortSignal): Promise<Scan> {
  const entries = new Map<string, Stamp>();
  const leftOut: string[] = [];
  const folders = [root];
  const excluded = new Set(limits.exclude);
  let bytes = 0;
  let since = performance.now();
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder, leftOut)) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && excluded.has(entry.name)) continue;
      const stamp = stampOf(file);
      if (!stamp) continue;
      if (stamp.type === 'folder') folders.push(file);
      if (stamp.type === 'file') {
        if (stamp.size > limits.mostFileBytes) {
          leftOut.push(file);
          continue;
        }
        bytes += stamp.size;
      }
      entries.set(file, stamp);
      if (entries.size > limits.mostFiles) throw new TooLarge(`it has more than ${limits.mostFiles} files`);
      if (bytes > limits.mostBytes) throw new TooLarge(`its files are larger than ${limits.mostBytes} bytes together`);
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      signal.throwIfAborted();
      since = performance.now();
    }
  }
  return { entries, leftOut };
}

/** The stamp of one file, symlink or folder; undefined for anything else, and for nothing. */
export function stampOf(file: string): Stamp | undefined {
  const stats = lstatOf(file);
  if (!stats) return undefined;
  const { ino, size, mtimeNs, ctimeNs } = stats;
  const mode = Number(stats.mode & 0o7777n);
  if (stats.isDirectory()) return { type: 'folder', key: `folder:${mode}`, size: 0, mode };
  const key = `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  if (stats.isFile()) return { type: 'file', key, size: Number(size), mode };
  return stats.isSymbolicLink() ? { type: 'symlink', key: `symlink:${key}`, size: 0, mode } : undefined;
}

function lstatOf(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    // Where a folder was there may be a file now, or a link in a circle: below that is nothing, too.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

function entriesOf(folder: string, leftOut: string[]): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch (error) {
    // It may just have been removed; one that may not be read is left out.
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') leftOut.push(folder);
    return [];
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
