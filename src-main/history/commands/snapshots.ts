import { readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { describeError, type EditView } from '../../../src-shared/index.ts';
import { createKeyLock } from '../path-lock.ts';
import type { Actor, Entry, History, Observed } from '../contract.ts';
import { createCopies, type Copies, type Kept } from './copies.ts';
import { readIndex, writeIndex, writeOpen, type LastKnown } from './index-file.ts';
import { leftPlaces, takePlace, type Place } from './place.ts';
import { scanWorkspace, stampOf, TooLarge, type Scan, type ScanLimits } from './scan.ts';

export interface SnapshotOptions {
  /** Where copies are kept, a folder for each workspace. */
  folder: string;
  history: Pick<History, 'observe'>;
  limits: () => ScanLimits;
  /** A copying that is done sooner is not told of, nor more often than this. In milliseconds. */
  tellMs?: number;
}

/** A command on its way. */
export interface WatchedCommand {
  /**
   * Records what the command changed. `goesOn`: it still runs, so what changes until the next look is its own, too.
   * Gives a sentence when something could not be covered. Never rejects.
   */
  end(how: { goesOn: boolean }): Promise<string | undefined>;
}

/** Makes edits out of what commands do to the files of a workspace. */
export interface CommandSnapshots extends AsyncDisposable {
  /**
   * Takes the workspace as it is. @throws the signal's reason.
   * @param onCopied hears of a copying that takes long: files copied, and files to be copied.
   */
  begin(workspace: string, actor: Actor, signal: AbortSignal, onCopied?: OnCopied): Promise<WatchedCommand>;
  /** Records what commands changed that a killed Causeway had running; nothing of theirs may run any more. */
  recover(): Promise<void>;
  /** An edit was made otherwise (by the editor, by an undo): it is no command's. */
  made(edit: EditView): void;
}

export type OnCopied = (done: number, total: number) => void;

/** Whose command, and since when, in milliseconds. */
type By = Actor & { since: number };

/** One workspace as it was when it was last looked at. */
interface Workspace {
  readonly root: string;
  readonly place: Place;
  readonly copies: Copies;
  known: Map<string, Kept>;
  /** Whether `known` is all there was: only then does what differs tell what was done. */
  complete: boolean;
  /** Whether `known` stands on disk as it is, for the next start if this one is killed. */
  written: boolean;
  running: number;
  /** A command that went on when its call returned. */
  goesOn: By | undefined;
  /** Why nothing is covered, and whether that was said. */
  problem: string | undefined;
  /** Not before then is it looked at again, in milliseconds since 1970. */
  again: number;
  said: Set<string>;
}

/** A look in vain that took longer is not repeated at every command, but after this pause. In milliseconds. */
const COSTLY_MS = 30;
const PAUSE_MS = 60_000;
const NEVER = new AbortController().signal;

export function createCommandSnapshots({ folder, history, limits, tellMs = 300 }: SnapshotOptions): CommandSnapshots {
  const workspaces = new Map<string, Workspace>();
  const lock = createKeyLock();

  function workspaceAt(root: string): Workspace {
    const known = workspaces.get(root);
    if (known) return known;
    const place = takePlace(folder, root);
    const last = readIndex(place.folder);
    const made = workspaceFrom(root, place, last);
    workspaces.set(root, made);
    return made;
  }

  /** Brings what is known up to date; what changed since becomes edits of `by`, or nobody's. */
  async function look(
    workspace: Workspace,
    by: By | undefined,
    signal: AbortSignal,
    onCopied?: OnCopied,
  ): Promise<Scan> {
    const scan = await scanWorkspace(workspace.root, limits(), signal);
    const differ = differing(workspace, scan);
    if (by) await record(workspace, by, differ, scan);
    const [there, gone] = [
      differ.filter((file) => scan.entries.has(file)),
      differ.filter((file) => !scan.entries.has(file)),
    ];
    for (const file of gone) await forget(workspace, file);
    const kept = await workspace.copies.keep(there, signal, onCopied && seldom(there.length, tellMs, onCopied));
    for (const [file, one] of kept) {
      await forget(workspace, file);
      workspace.known.set(file, one);
    }
    if (kept.size > 0) workspace.written = false;
    return scan;
  }

  /** For the case that this program is killed while the command runs. */
  function noteOpen(workspace: Workspace, actor: Actor | undefined): void {
    if (actor && !workspace.written) {
      writeIndex(workspace.place.folder, workspace.root, workspace.known);
      workspace.written = true;
    }
    writeOpen(workspace.place.folder, actor);
  }

  /** What is known is of use to the next start. */
  async function close(workspace: Workspace): Promise<void> {
    try {
      if (workspace.complete && !workspace.written) {
        writeIndex(workspace.place.folder, workspace.root, workspace.known);
      }
      await workspace.copies.retain(workspace.known.values());
    } catch {
      // A full disk: the next start looks at everything anew.
    }
    workspace.place[Symbol.dispose]();
  }

  async function forget(workspace: Workspace, file: string): Promise<void> {
    const old = workspace.known.get(file);
    if (!old) return;
    workspace.written = false;
    workspace.known.delete(file);
    await workspace.copies.drop(old);
  }

  /** Takes one file as it is. One that can't be read is not known any more, so that it is nobody's doing. */
  async function renew(workspace: Workspace, file: string): Promise<void> {
    try {
      if (workspace.known.get(file)?.stamp.key === stampOf(file)?.key) return;
      const kept = (await workspace.copies.keep([file], NEVER)).get(file);
      await forget(workspace, file);
      if (kept) workspace.known.set(file, kept);
    } catch {
      await forget(workspace, file);
    }
  }

  async function record(
    workspace: Workspace,
    { since, ...actor }: By,
    files: readonly string[],
    { entries }: Scan,
  ): Promise<void> {
    const observed: Observed[] = [];
    for (const file of files) {
      const old = workspace.known.get(file);
      const before = old ? await workspace.copies.read(old) : null;
      // Its copy went when it was edited otherwise: that edit tells of it.
      if (before === undefined) continue;
      // What is gone may still be found by its path, through a symlink in the place of a folder.
      const after = entries.has(file) ? await readEntry(file) : null;
      if (!isSame(before, after)) observed.push({ path: file, before, after, actor, since });
    }
    await history.observe(observed);
  }

  /** What of a look could not be covered, in a sentence, once for each reason. */
  function describe(workspace: Workspace, leftOut: readonly string[]): string | undefined {
    const reason =
      workspace.problem ??
      (leftOut.length > 0
        ? `Not covered by undo, because they are too large or may not be read: ${list(leftOut, workspace.root)}.`
        : undefined);
    if (reason === undefined || workspace.said.has(reason)) return undefined;
    workspace.said.add(reason);
    return reason;
  }

  async function tryLook(
    workspace: Workspace,
    by: By | undefined,
    signal: AbortSignal,
    onCopied?: OnCopied,
  ): Promise<readonly string[]> {
    const startedAt = performance.now();
    try {
      const { leftOut } = await look(workspace, workspace.complete ? by : undefined, signal, onCopied);
      workspace.problem = undefined;
      workspace.complete = true;
      return leftOut;
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof TooLarge ? error.message : describeError(error);
      workspace.problem = inVain(why);
      if (performance.now() - startedAt > COSTLY_MS) workspace.again = Date.now() + PAUSE_MS;
      // Half of it known would make edits of what is not known.
      workspace.known = new Map();
      workspace.complete = false;
      await workspace.copies.retain([]).catch(() => undefined);
      return [];
    }
  }

  return {
    async begin(root, actor, signal, onCopied) {
      const by = { ...actor, since: Date.now() };
      let workspace: Workspace;
      try {
        workspace = workspaceAt(root);
        await lock.run(root, async () => {
          // While another command runs, what changes may be its doing.
          const isDue = workspace.running === 0 && Date.now() >= workspace.again;
          if (isDue) await tryLook(workspace, workspace.goesOn, signal, onCopied);
          if (workspace.complete) noteOpen(workspace, actor);
          workspace.running += 1;
        });
      } catch (error) {
        signal.throwIfAborted();
        // No reason to run nothing: a full disk may be what the command is for.
        return { end: () => Promise.resolve(inVain(describeError(error))) };
      }
      return {
        end: ({ goesOn }) =>
          lock.run(root, async () => {
            const leftOut = workspace.complete ? await tryLook(workspace, by, NEVER) : [];
            workspace.running -= 1;
            workspace.goesOn = goesOn ? by : undefined;
            if (workspace.running === 0 && !goesOn && workspace.complete) noteOpen(workspace, undefined);
            return describe(workspace, leftOut);
          }),
      };
    },
    async recover() {
      for (const left of leftPlaces(folder)) {
        using place = left;
        const last = readIndex(place.folder);
        if (!last?.actor) continue;
        const workspace = workspaceFrom(last.root, place, last);
        const scan = await scanWorkspace(last.root, limits(), NEVER).catch(() => undefined);
        if (scan) {
          const by = { ...last.actor, since: 0 };
          await record(workspace, by, differing(workspace, scan), scan).catch(() => undefined);
        }
        writeOpen(place.folder, undefined);
      }
    },
    made(edit) {
      for (const workspace of workspaces.values()) {
        if (!edit.path.startsWith(`${workspace.root}${path.sep}`)) continue;
        void lock.run(workspace.root, () => renew(workspace, edit.path)).catch(() => undefined);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const workspace of workspaces.values()) {
        await lock.run(workspace.root, () => close(workspace));
      }
      workspaces.clear();
    },
  };
}

function seldom(total: number, pauseMs: number, tell: OnCopied): (done: number) => void {
  let toldAt = performance.now();
  return (done) => {
    if (performance.now() - toldAt < pauseMs) return;
    toldAt = performance.now();
    tell(done, total);
  };
}

function inVain(why: string): string {
  return `What commands change here can not be undone: ${why.replace(/\.$/, '')}. See "history" in the settings.`;
}

function workspaceFrom(root: string, place: Place, last: LastKnown | undefined): Workspace {
  return {
    ...{ root, place, copies: createCopies(place.folder), running: 0 },
    ...{ known: last?.known ?? new Map(), complete: last !== undefined, written: last !== undefined },
    ...{ goesOn: undefined, problem: undefined, again: 0, said: new Set() },
  };
}

/** Files that are not as they are known, or not there any more. */
function differing({ known }: Workspace, { entries }: Scan): string[] {
  const changed = [...entries].filter(([file, stamp]) => known.get(file)?.stamp.key !== stamp.key);
  const gone = [...known.keys()].filter(
    (file) => !entries.has(file) && (!stampOf(file) || isBelowNoFolder(file, entries)),
  );
  return [...changed.map(([file]) => file), ...gone];
}

/** True for a path that leads through something that is no folder: what is found there, through a symlink, is elsewhere. */
function isBelowNoFolder(file: string, entries: Scan['entries']): boolean {
  const above = path.dirname(file);
  if (above === file) return false;
  const stamp = entries.get(above);
  return (stamp !== undefined && stamp.type !== 'folder') || isBelowNoFolder(above, entries);
}

/** What is there; null for nothing, and for what is neither file nor symlink nor folder. */
async function readEntry(file: string): Promise<Entry | null> {
  const stamp = stampOf(file);
  if (!stamp) return null;
  const { type, mode } = stamp;
  try {
    if (type === 'folder') return { type, bytes: new Uint8Array(0), mode };
    if (type === 'symlink') return { type, bytes: await readlink(file, 'buffer'), mode: null };
    return { type, bytes: await readFile(file), mode };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isSame(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.type === b.type && a.mode === b.mode && Buffer.compare(a.bytes, b.bytes) === 0;
}

function list(files: readonly string[], root: string): string {
  const shown = files.slice(0, 5).map((file) => path.relative(root, file));
  return files.length > 5 ? `${shown.join(', ')} and ${files.length - 5} more` : shown.join(', ');
}
