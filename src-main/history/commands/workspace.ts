import type { Actor, Entry } from '../contract.ts';
import { createCopies, type Copies, type Kept } from './copies.ts';
import { readIndex, writeIndex, writeOpen, type LastKnown } from './index-file.ts';
import type { Place } from './place.ts';
import { stampOf } from './scan.ts';

/** A command that goes on after its call. */
interface GoingOn {
  readonly actor: Actor;
  /** Whether it does so when this program ends. */
  readonly outlives: boolean;
}

/** One workspace as it was when it was last looked at. */
export interface Workspace {
  readonly root: string;
  readonly place: Place;
  readonly copies: Copies;
  known: Map<string, Kept>;
  /** Whether `known` is all there was: only then does what differs tell what was done. */
  complete: boolean;
  /** Whether `known` stands on disk as it is, for the next start if this one is killed. */
  written: boolean;
  /** The newest edit when it was looked at: later ones may not be in `known`. */
  since: number;
  /** Whose commands are running. */
  running: readonly Actor[];
  /** A command that went on when its call returned. */
  goesOn: GoingOn | undefined;
  /** Whose changes could not be recorded so far. Until they are, `known` stays as it was before them. */
  owed: Actor | undefined;
  /** Why something is not covered. */
  problem: string | undefined;
  /** Not before then is it looked at again, in milliseconds since 1970. */
  again: number;
  /** What was told already. */
  said: Set<string>;
}

/**
 * @param place has what is known from the last time.
 * @param newest the newest edit, for what is known from a Causeway that did not note it.
 */
export function workspaceFrom(root: string, place: Place, last: LastKnown | undefined, newest: number): Workspace {
  return {
    ...{ root, place, copies: createCopies(place.folder), running: [], since: last?.since ?? newest },
    ...{ known: last?.known ?? new Map(), complete: last !== undefined, written: last !== undefined },
    ...{ ...goingOnFrom(last) },
    ...{ problem: undefined, again: 0, said: new Set() },
  };
}

function goingOnFrom(last: LastKnown | undefined): Pick<Workspace, 'goesOn' | 'owed'> {
  if (last?.actor && last.goesOn) return { goesOn: { actor: last.actor, outlives: true }, owed: undefined };
  return { goesOn: undefined, owed: last?.actor };
}

/** As {@link workspaceFrom}, with what its place has. */
export function openWorkspace(root: string, place: Place, newest: number): Workspace {
  return workspaceFrom(root, place, readIndex(place.folder), newest);
}

/** Nothing is known of the file any more. */
export async function forget(workspace: Workspace, file: string): Promise<void> {
  const old = workspace.known.get(file);
  if (!old) return;
  workspace.written = false;
  workspace.known.delete(file);
  await workspace.copies.drop(old);
}

/** From now on this is known of the file; the copy of before goes, unless it is the same. */
export async function know(workspace: Workspace, file: string, kept: Kept): Promise<void> {
  const old = workspace.known.get(file);
  workspace.known.set(file, kept);
  workspace.written = false;
  if (old && old.copy !== kept.copy) await workspace.copies.drop(old);
}

export async function forgetAll(workspace: Workspace): Promise<void> {
  workspace.known = new Map();
  workspace.complete = false;
  workspace.written = false;
  await workspace.copies.retain([]);
}

/** Whose doing it is when something changes now: nobody's when no command is running or goes on, and nothing is owed. */
export function authorIn({ running, goesOn, owed }: Workspace): Actor | undefined {
  return running[0] ?? goesOn?.actor ?? owed;
}

/** True when this path is as it is known. */
export function isAsKnown({ known }: Workspace, file: string): boolean {
  return known.get(file)?.stamp.key === stampOf(file)?.key;
}

/**
 * Takes one file as an edit left it. One that can't be copied is there, but nobody can say how it was.
 * @param isLeft tells what the edit left from what somebody made of it since: that is still to be recorded.
 */
export async function renew(
  workspace: Workspace,
  file: string,
  isLeft: (entry: Entry | null) => Promise<boolean>,
): Promise<void> {
  if (isAsKnown(workspace, file)) return;
  const copying = await workspace.copies.keep([file], new AbortController().signal).catch(() => undefined);
  const kept = copying?.kept.get(file);
  const stamp = stampOf(file);
  const copy = kept && (await workspace.copies.read(kept));
  const isOther = kept ? copy === undefined || !(await isLeft(copy)) : !stamp && !(await isLeft(null));
  if (kept && isOther) await workspace.copies.drop(kept);
  if (isOther) return;
  if (kept) await know(workspace, file, kept);
  else if (stamp) await know(workspace, file, { stamp, copy: null });
  else await forget(workspace, file);
}

/**
 * Notes whose command is running, for the case that this program is killed meanwhile. On a full disk there is no such note: only a
 * command that nothing kills is covered then.
 */
export function noteOpen(workspace: Workspace, actor: Actor): void {
  try {
    if (!workspace.written) writeIndex(workspace.place.folder, workspace);
    workspace.written = true;
    writeOpen(workspace.place.folder, actor);
  } catch {
    writeOpen(workspace.place.folder, undefined);
  }
}

/** No command is running, and nothing is owed. */
export function noteDone(workspace: Workspace): void {
  writeOpen(workspace.place.folder, undefined);
}

/** What is known is of use to the next start. */
export async function close(workspace: Workspace): Promise<void> {
  try {
    const { owed, goesOn } = workspace;
    // Nobody can say when it ends: until the next command here, what changes is its own.
    if (!owed && goesOn?.outlives) writeOpen(workspace.place.folder, { ...goesOn.actor, goesOn: true });
    else if (!owed) noteDone(workspace);
    if (workspace.complete && !workspace.written) {
      writeIndex(workspace.place.folder, workspace);
    }
    await workspace.copies.retain(workspace.known.values());
  } catch {
    // A full disk: the next start looks at everything anew.
  }
  workspace.place[Symbol.dispose]();
}
