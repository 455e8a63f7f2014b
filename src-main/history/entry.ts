import { CausewayError, type EntryType } from '../../src-shared/index.ts';
import type { FileOperator, FileStat } from '../operator/index.ts';
import type { Entry } from './contract.ts';
import { digest } from './digest.ts';

/** What is at a path now, symlinks not followed; null when nothing is. @throws CausewayError as `lookAtEntry`. */
export async function readEntry(files: FileOperator, path: string): Promise<Entry | null> {
  return (await lookAtEntry(files, path)).current;
}

/**
 * The same, with what `files.stat` said right before it was read.
 * @throws CausewayError `conflict` for a device, pipe or socket.
 */
export async function lookAtEntry(
  files: FileOperator,
  path: string,
): Promise<{ current: Entry | null; seen: FileStat | null }> {
  const found = await files.entry(path);
  if (found === null) return { current: null, seen: null };
  const { stat: seen, bytes } = found;
  const type = typeOf(seen, path);
  return { current: { type, bytes, mode: type === 'symlink' ? null : seen.mode }, seen };
}

/** True when the path holds exactly this; `mode` is not looked at. @param stat what `files.stat` just said, not following. */
export async function isEntry(
  files: FileOperator,
  path: string,
  stat: FileStat | null,
  expected: { type: EntryType; bytes: Uint8Array } | null,
): Promise<boolean> {
  if (stat === null || expected === null) return stat === null && expected === null;
  if (expected.type === 'folder') return stat.kind === 'directory';
  if (expected.type === 'symlink') {
    return stat.kind === 'symlink' && Buffer.compare(await files.readLink(path), expected.bytes) === 0;
  }
  return stat.kind === 'file' && stat.size === expected.bytes.length && files.holds(path, expected.bytes);
}

/** True when both are the same to the last byte and permission. */
export function isSameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.type === b.type && a.mode === b.mode && Buffer.compare(a.bytes, b.bytes) === 0;
}

/** True when nothing suggests that the file was written between two looks at it. */
export function sameStat(a: FileStat | null, b: FileStat | null): boolean {
  if (a === null || b === null) return a === b;
  return a.kind === b.kind && a.stamp === b.stamp && a.mode === b.mode;
}

/** Clocks of file systems tell two writes apart that lie this far from each other, in milliseconds; most do much better. */
const CLOCK_MS = 50;

/** True when a write just after this look must have given the file another stamp: it was not written just before. */
export function isSettled(stat: FileStat | null): boolean {
  return stat === null || Date.now() - stat.mtimeMs > CLOCK_MS;
}

/** A state of a path as rows of the journal know it: a hash of null means that nothing is there. */
export interface EntryState {
  type: EntryType;
  hash: string | null;
  mode: number | null;
}

/** @throws CausewayError when the file can't be read. */
export async function stateOf(entry: Entry | null): Promise<EntryState> {
  if (entry === null) return { type: 'file', hash: null, mode: null };
  return { type: entry.type, hash: await digest(entry.bytes), mode: entry.mode };
}

function typeOf({ kind }: FileStat, path: string): EntryType {
  if (kind === 'directory') return 'folder';
  if (kind !== 'other') return kind;
  throw new CausewayError('conflict', `${path} is not a file any more (a device, pipe or socket).`, {
    hint: 'Move what is there out of the way.',
  });
}
