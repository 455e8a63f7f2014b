import { readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { Actor, Entry, History, Observed } from '../contract.ts';
import type { Copying, Kept } from './copies.ts';
import type { WhyLeftOut } from './left-out.ts';
import { isGone, scanFiles, scanWorkspace, stampOf, type Scan, type ScanLimits, type Stamp } from './scan.ts';
import { forget, know, type Workspace } from './workspace.ts';

/** What is recorded in one go: its bytes, before and after, are in memory. */
const RECORD_BYTES = 64 * 1024 * 1024;
const RECORD_FILES = 2000;

/** What a look found, besides what it recorded. */
export interface Looked {
  leftOut: Map<string, WhyLeftOut>;
  /** What the command changed and nobody can bring back. */
  lost: string[];
  tooMuch?: string;
}

/** What a look needs of the history. */
export type LookedInto = Pick<History, 'observe' | 'newestEdit'>;

/** Changes could not be recorded; all that is needed for it is kept. */
export class NotRecorded extends Error {}

/**
 * Brings what is known of a workspace up to date. What changed since becomes edits of `by`; without one it is nobody's.
 * @param onCopied hears how many files were copied, of how many.
 * @throws NotRecorded; the signal's reason; the system's error when no copies can be made at all.
 */
export async function look(
  workspace: Workspace,
  by: Actor | undefined,
  options: {
    history: LookedInto;
    limits: ScanLimits;
    signal: AbortSignal;
    onCopied?: (done: number, total: number) => void;
  },
): Promise<Looked> {
  const { history, limits, signal, onCopied } = options;
  const newest = history.newestEdit();
  const whole = await scanWorkspace(workspace.root, limits, signal, (file) => workspace.known.get(file)?.stamp);
  const { tooMuch } = whole;
  const looked: Looked = { leftOut: new Map(whole.leftOut), lost: [], ...(tooMuch !== undefined && { tooMuch }) };
  if (tooMuch !== undefined) {
    // Half of it known would make edits of what is not known. But what became of the files before is known.
    const scan = await scanFiles(workspace.known.keys(), limits, signal);
    for (const some of by ? bundles(differing(workspace, scan), workspace, scan) : []) {
      if (by) await record(workspace, by, some, { scan, copying: noCopies(some), looked, history });
    }
    return looked;
  }
  const differ = differing(workspace, whole);
  if (!by) {
    const told = onCopied && ((done: number) => onCopied(done, differ.length));
    const copying = await workspace.copies.keep(copyable(differ, whole), signal, told);
    await take(workspace, differ, { scan: whole, copying, looked, recorded: undefined });
  } else {
    await recordAll(workspace, by, differ, { scan: whole, looked, history, signal });
  }
  workspace.since = newest;
  return looked;
}

/**
 * The same for these files only, and the folders above them: what somebody made of them becomes edits of `by` before somebody else
 * changes them.
 * @throws as `look`.
 */
export async function lookAtFiles(
  workspace: Workspace,
  by: Actor,
  files: readonly string[],
  { history, limits, signal }: { history: LookedInto; limits: ScanLimits; signal: AbortSignal },
): Promise<void> {
  const all = withFoldersAbove(files, workspace.root);
  const scan = await scanFiles(all, limits, signal);
  const known = new Map([...workspace.known].filter(([file]) => all.has(file)));
  const differ = differing({ known }, scan);
  const looked: Looked = { leftOut: new Map(scan.leftOut), lost: [] };
  await recordAll(workspace, by, differ, { scan, looked, history, signal });
}

async function recordAll(
  workspace: Workspace,
  by: Actor,
  files: readonly string[],
  found: { scan: Scan; looked: Looked; history: LookedInto; signal: AbortSignal },
): Promise<void> {
  for (const some of bundles(files, workspace, found.scan)) {
    const copying = await keepOrNone(workspace, copyable(some, found.scan), found.signal);
    const recorded = await record(workspace, by, some, { ...found, copying });
    await take(workspace, some, { ...found, copying, recorded });
  }
}

/** Without copies a change can still be recorded, from the files themselves. */
async function keepOrNone(workspace: Workspace, files: readonly string[], signal: AbortSignal): Promise<Copying> {
  try {
    return await workspace.copies.keep(files, signal);
  } catch {
    signal.throwIfAborted();
    return noCopies(files);
  }
}

function noCopies(files: readonly string[]): Copying {
  return { kept: new Map(), leftOut: new Map(files.map((file) => [file, 'room'])) };
}

/** Makes edits of what differs; gives the files of which that could be done. @throws NotRecorded */
async function record(
  workspace: Workspace,
  actor: Actor,
  files: readonly string[],
  found: { scan: Scan; copying: Copying; looked: Looked; history: LookedInto },
): Promise<Set<string>> {
  const { scan, copying, looked, history } = found;
  const { since } = workspace;
  const observed: Observed[] = [];
  const recorded = new Set<string>();
  for (const file of files) {
    const old = workspace.known.get(file);
    const before = await entryBefore(workspace, file, old);
    const after = await entryAfter(workspace, file, { scan, copying });
    if (before !== undefined && after !== undefined) {
      recorded.add(file);
      // Also what is the same again: an edit in between may have left something else.
      observed.push({ path: file, before, after, actor, since });
    } else if (old && scan.entries.get(file)?.key !== old.stamp.key) looked.lost.push(file);
  }
  try {
    await history.observe(observed);
  } catch (error) {
    for (const kept of copying.kept.values()) await workspace.copies.drop(kept);
    throw new NotRecorded('The changes could not be recorded.', { cause: error });
  }
  return recorded;
}

/** Null for nothing; undefined when nobody knows what was there. */
async function entryBefore(
  workspace: Workspace,
  file: string,
  old: Kept | undefined,
): Promise<Entry | null | undefined> {
  if (old) return workspace.copies.read(old);
  return isBelowUnknown(workspace, file) ? undefined : null;
}

/** True below a folder that could not be looked into. */
function isBelowUnknown({ root, known }: Workspace, file: string): boolean {
  for (let folder = path.dirname(file); folder.length > root.length; folder = path.dirname(folder)) {
    const kept = known.get(folder);
    if (kept?.stamp.type === 'folder' && kept.copy === null) return true;
  }
  return false;
}

/** Null for nothing; undefined for what can't be read, or is too large to be recorded. */
async function entryAfter(
  workspace: Workspace,
  file: string,
  { scan, copying }: { scan: Scan; copying: Copying },
): Promise<Entry | null | undefined> {
  const stamp = scan.entries.get(file);
  // What is gone may still be found by its path, through a symlink in the place of a folder.
  if (!stamp) return null;
  if (stamp.type === 'folder') return { type: 'folder', bytes: new Uint8Array(0), mode: stamp.mode };
  const kept = copying.kept.get(file);
  if (kept) return workspace.copies.read(kept);
  const why = scan.leftOut.get(file) ?? copying.leftOut.get(file);
  if (why === 'room') return readEntry(file);
  return why === undefined ? null : undefined;
}

/** From now on `files` are known as they are. */
async function take(
  workspace: Workspace,
  files: readonly string[],
  found: { scan: Scan; copying: Copying; looked: Looked; recorded: ReadonlySet<string> | undefined },
): Promise<void> {
  const { scan, copying, looked, recorded } = found;
  for (const [file, why] of copying.leftOut) looked.leftOut.set(file, why);
  for (const file of files) {
    const kept = copying.kept.get(file);
    const stamp = scan.entries.get(file);
    const old = workspace.known.get(file);
    // What was there is recorded; of the folder nothing is to be known.
    if (stamp?.excluded) await forget(workspace, file);
    else if (kept) await know(workspace, file, kept.stamp.type === 'folder' ? folderAsSeen(file, kept, scan) : kept);
    else if (!stamp || !looked.leftOut.has(file)) await forget(workspace, file);
    else if (stamp.type === 'folder') await know(workspace, file, folderAsSeen(file, { stamp, copy: '' }, scan));
    else if (!recorded || recorded.has(file)) await know(workspace, file, { stamp, copy: null });
    // What a command made of it is lost, but not what was there before: only its permissions may have changed.
    else if (old && looked.leftOut.get(file) !== 'large')
      await know(workspace, file, { ...old, stamp: { ...old.stamp, key: stamp.key } });
    else if (looked.leftOut.get(file) === 'large') await know(workspace, file, { stamp, copy: null });
  }
}

function folderAsSeen(folder: string, kept: Kept, { leftOut }: Scan): Kept {
  return leftOut.has(folder) ? { ...kept, copy: null } : kept;
}

/** Of these, what a copy can be made of. */
function copyable(files: readonly string[], { entries, leftOut }: Scan): string[] {
  return files.filter((file) => entries.has(file) && (!leftOut.has(file) || entries.get(file)?.type === 'folder'));
}

/** The folders of the workspace that these are in, nearest last, and these. */
function withFoldersAbove(files: readonly string[], root: string): Set<string> {
  const found = new Set<string>();
  for (const file of files) {
    const above: string[] = [];
    for (let folder = path.dirname(file); folder.length > root.length; folder = path.dirname(folder))
      above.push(folder);
    for (const one of [...above.reverse(), file]) found.add(one);
  }
  return found;
}

/** Files that are not as they are known, or not there any more. */
function differing({ known }: Pick<Workspace, 'known'>, { entries, leftOut }: Scan): string[] {
  const changed = [...entries].filter(([file, stamp]) => differs(known.get(file), stamp, leftOut.has(file)));
  const gone = [...known.keys()].filter(
    (file) => !entries.has(file) && (isGone(file) || isBelowNoFolder(file, entries)),
  );
  return [...changed.map(([file]) => file), ...gone];
}

function differs(kept: Kept | undefined, stamp: Stamp, isLeftOut: boolean): boolean {
  if (kept?.stamp.key !== stamp.key) return true;
  // A copy may be possible now. A folder that was looked into, and can't be now, or the other way round.
  return stamp.type === 'folder' ? (kept.copy === null) !== isLeftOut : kept.copy === null && !isLeftOut;
}

/** True for a path that leads through something that is no folder: what is found there, through a symlink, is elsewhere. */
function isBelowNoFolder(file: string, entries: Scan['entries']): boolean {
  const above = path.dirname(file);
  if (above === file) return false;
  const stamp = entries.get(above);
  return (stamp !== undefined && stamp.type !== 'folder') || isBelowNoFolder(above, entries);
}

function* bundles(files: readonly string[], { known }: Workspace, { entries }: Scan): Generator<string[]> {
  let [some, bytes]: [string[], number] = [[], 0];
  for (const file of files) {
    const size = (known.get(file)?.stamp.size ?? 0) + (entries.get(file)?.size ?? 0);
    if (some.length > 0 && (bytes + size > RECORD_BYTES || some.length >= RECORD_FILES)) {
      yield some;
      [some, bytes] = [[], 0];
    }
    some.push(file);
    bytes += size;
  }
  if (some.length > 0) yield some;
}

/** What is there; null for nothing, undefined for what can't be read. */
async function readEntry(file: string): Promise<Entry | null | undefined> {
  const stamp = stampOf(file);
  if (!stamp) return isGone(file) ? null : undefined;
  const { type, mode } = stamp;
  try {
    if (type === 'folder') return { type, bytes: new Uint8Array(0), mode };
    if (type === 'symlink') return { type, bytes: await readlink(file, 'buffer'), mode: null };
    return { type, bytes: await readFile(file), mode };
  } catch {
    return isGone(file) ? null : undefined;
  }
}
