import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

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

/** What tells that a file is as it was, without reading it. The change time cannot be set by programs. */
export interface Stamp {
  readonly key: string;
  readonly size: number;
  readonly mode: number;
}

/** The regular files of a workspace, by absolute path. */
export interface Scan {
  readonly files: ReadonlyMap<string, Stamp>;
  /** Files and folders that are not among them although they are not excluded: too large, or not to be read. */
  readonly leftOut: readonly string[];
}

/** Too much to look at: a sentence says what. */
export class TooLarge extends Error {}

/**
 * Looks at every file below `root`; links are not followed. Quick and never long at a stretch.
 * @throws TooLarge when there is more than the limits allow; the signal's reason.
 */
export async function scanWorkspace(root: string, limits: ScanLimits, signal: AbortSignal): Promise<Scan> {
  const files = new Map<string, Stamp>();
  const leftOut: string[] = [];
  const folders = [root];
  const excluded = new Set(limits.exclude);
  let bytes = 0;
  let since = performance.now();
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder, leftOut)) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!excluded.has(entry.name)) folders.push(file);
        continue;
      }
      if (!entry.isFile()) continue;
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (!stats?.isFile()) continue;
      if (Number(stats.size) > limits.mostFileBytes) {
        leftOut.push(file);
        continue;
      }
      files.set(file, stampOf(stats));
      bytes += Number(stats.size);
      if (files.size > limits.mostFiles) throw new TooLarge(`it has more than ${limits.mostFiles} files`);
      if (bytes > limits.mostBytes) throw new TooLarge(`its files are larger than ${limits.mostBytes} bytes together`);
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      signal.throwIfAborted();
      since = performance.now();
    }
  }
  return { files, leftOut };
}

/** The stamp of one file; undefined when there is no regular file. */
export function stampFile(file: string): Stamp | undefined {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? stampOf(stats) : undefined;
}

function stampOf({ ino, size, mtimeNs, ctimeNs, mode }: BigIntStats): Stamp {
  return { key: `${ino}:${size}:${mtimeNs}:${ctimeNs}`, size: Number(size), mode: Number(mode & 0o7777n) };
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
