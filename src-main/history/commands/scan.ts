import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryType } from '../../../src-shared/index.ts';
import type { WhyLeftOut } from './left-out.ts';

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
  /** A folder that is left out by its name, in the place of something that was not: what is in it is not looked at. */
  readonly excluded?: true;
}

/** What is in a workspace, by absolute path. */
export interface Scan {
  readonly entries: ReadonlyMap<string, Stamp>;
  /** Of what is there, and not excluded, what no copy can be made of. */
  readonly leftOut: ReadonlyMap<string, WhyLeftOut>;
  /** There is more than the limits allow, so `entries` is not all of it: a clause that says what. */
  readonly tooMuch?: string;
}

/**
 * Looks at `root` and every file, symlink and folder below it; symlinks are not followed. Quick and never long at a stretch.
 * @param known what is known of a path: something that was no folder is gone, too, when a folder took its place that is left out.
 * @throws the signal's reason.
 */
export async function scanWorkspace(
  root: string,
  limits: ScanLimits,
  signal: AbortSignal,
  known: (file: string) => Stamp | undefined = () => undefined,
): Promise<Scan> {
  const own = stampOf(root);
  const entries = new Map<string, Stamp>(own?.type === 'folder' ? [[root, own]] : []);
  const leftOut = new Map<string, WhyLeftOut>();
  const folders = [root];
  const excluded = new Set(limits.exclude);
  const breathe = createBreather(signal);
  let bytes = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesOf(folder, leftOut)) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && excluded.has(entry.name)) {
        const stamp = (known(file)?.type ?? 'folder') === 'folder' ? undefined : stampOf(file);
        if (stamp?.type === 'folder') entries.set(file, { ...stamp, excluded: true });
        continue;
      }
      const stamp = stampOf(file);
      if (!stamp) {
        if (isNoText(entry.name)) leftOut.set(file, 'name');
        else if (!isGone(file)) leftOut.set(file, 'unreadable');
        continue;
      }
      if (stamp.type === 'folder') folders.push(file);
      if (stamp.size > limits.mostFileBytes) leftOut.set(file, 'large');
      else bytes += stamp.size;
      entries.set(file, stamp);
      const tooMuch = excess(entries.size, bytes, limits);
      if (tooMuch !== undefined) return { entries, leftOut, tooMuch };
      await breathe();
    }
  }
  return { entries, leftOut };
}

/** Looks at these files only. @throws the signal's reason. */
export async function scanFiles(
  files: Iterable<string>,
  { mostFileBytes }: Pick<ScanLimits, 'mostFileBytes'>,
  signal: AbortSignal,
): Promise<Scan> {
  const entries = new Map<string, Stamp>();
  const leftOut = new Map<string, WhyLeftOut>();
  const breathe = createBreather(signal);
  for (const file of files) {
    const stamp = stampOf(file);
    if (stamp) entries.set(file, stamp);
    if (stamp && stamp.size > mostFileBytes) leftOut.set(file, 'large');
    await breathe();
  }
  return { entries, leftOut };
}

/** What it gives is called between two steps: it lets the program do other things now and then. */
function createBreather(signal: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  async function pause(): Promise<void> {
    await nextTurn();
    signal.throwIfAborted();
    since = performance.now();
  }
  return () => (performance.now() - since < STRETCH_MS ? undefined : pause());
}

function excess(files: number, bytes: number, limits: ScanLimits): string | undefined {
  if (files > limits.mostFiles) return `it has more than ${limits.mostFiles} files`;
  return bytes > limits.mostBytes ? `its files are larger than ${limits.mostBytes} bytes together` : undefined;
}

/** Node makes text of names, with this mark in the place of what is none: such a file can't be found again by its name. */
function isNoText(name: string): boolean {
  return name.includes('\uFFFD');
}

/** The stamp of one file, symlink or folder; undefined for anything else, for nothing, and for what may not be looked at. */
export function stampOf(file: string): Stamp | undefined {
  const stats = lstatOf(file);
  if (typeof stats === 'string') return undefined;
  const { ino, size, mtimeNs, ctimeNs } = stats;
  const mode = Number(stats.mode & 0o7777n);
  if (stats.isDirectory()) return { type: 'folder', key: `folder:${mode}`, size: 0, mode };
  const key = `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  if (stats.isFile()) return { type: 'file', key, size: Number(size), mode };
  return stats.isSymbolicLink() ? { type: 'symlink', key: `symlink:${key}`, size: 0, mode } : undefined;
}

/** True when surely no file, symlink or folder is there: what may not be looked at may still be. */
export function isGone(file: string): boolean {
  const stats = lstatOf(file);
  if (typeof stats === 'string') return stats === 'nothing';
  return !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink();
}

function lstatOf(file: string): BigIntStats | 'nothing' | 'hidden' {
  try {
    return lstatSync(file, { bigint: true });
  } catch (error) {
    // Where a folder was there may be a file now, or a link in a circle: below that is nothing, too. But not so for a path that is
    // longer than any call takes, which `lstatIfThere` counts as nothing: deep in a workspace a file may have one.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' ? 'nothing' : 'hidden';
  }
}

function entriesOf(folder: string, leftOut: Map<string, WhyLeftOut>): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch {
    // It may just have been removed; one that may not be read is left out.
    if (!isGone(folder)) leftOut.set(folder, 'unreadable');
    return [];
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}
