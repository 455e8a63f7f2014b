import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CausewayError, type EditView } from '../../../src-shared/index.ts';
import { createKeyLock } from '../path-lock.ts';
import type { Actor, History } from '../contract.ts';
import { describeLeftOut, describeLost, type WhyLeftOut } from './left-out.ts';
import { look, lookAtFiles, NotRecorded, type Looked, type LookedInto } from './look.ts';
import { isOpen, readIndex, writeOpen } from './index-file.ts';
import { leftPlaces, putAside, takePlace } from './place.ts';
import type { ScanLimits } from './scan.ts';
import { damagedNote, notThere, stillOwed, whyNotRecorded } from './why-not-recorded.ts';
import {
  authorIn,
  close,
  forgetAll,
  isAsKnown,
  noteDone,
  noteOpen,
  openWorkspace,
  renew,
  workspaceFrom,
  type Workspace,
} from './workspace.ts';

export interface SnapshotOptions {
  /** Where copies are kept, a folder for each workspace. */
  folder: string;
  history: LookedInto & Pick<History, 'isLeftBy'>;
  limits: () => ScanLimits;
  /** A copying that is done sooner is not told of, nor more often than this. In milliseconds. */
  tellMs?: number;
}

/** A command on its way. */
export interface WatchedCommand {
  /** What will not be covered, in sentences. */
  readonly warning: string | undefined;
  /**
   * Records what the command changed. `goesOn`: it still runs, so what changes until the next look is its own, too.
   * `outlives`: also when this program ends. Gives the warning with what else could not be covered. Never rejects.
   */
  end(how: { goesOn: boolean; outlives?: boolean }): Promise<string | undefined>;
}

/** Makes edits out of what commands do to the files of a workspace. */
export interface CommandSnapshots extends AsyncDisposable {
  /**
   * Takes the workspace as it is. @throws the signal's reason.
   * @param onCopied hears of a copying that takes long: files copied, and files to be copied.
   */
  begin(workspace: string, actor: Actor, signal: AbortSignal, onCopied?: OnCopied): Promise<WatchedCommand>;
  /**
   * Records what commands changed that a killed Causeway had running, or that could not be recorded then; nothing of theirs may
   * run any more. Gives what could not be recorded, with the way out, in sentences.
   */
  recover(): Promise<string[]>;
  /**
   * These are about to be changed otherwise (by the editor, by an undo): what a command has made of them so far is recorded first.
   * @throws CausewayError when it can't be: what was there before the command would be lost.
   */
  before(files: readonly string[]): Promise<void>;
  /** An edit was made otherwise: it is no command's. */
  made(edit: EditView): void;
}

export type OnCopied = (done: number, total: number) => void;

/** A look in vain that took longer is not repeated at every command, but after this pause. In milliseconds. */
const COSTLY_MS = 30;
const PAUSE_MS = 60_000;
/** How long an edit that is just being made is waited for, and how often it is looked at, in milliseconds. */
const PATIENCE_MS = 5_000;
const WAIT_MS = 20;
const NEVER = new AbortController().signal;
const NOTHING: Looked = { leftOut: new Map(), lost: [] };
const CAUGHT_UP = 'What earlier commands changed is in the history now.';

export function createCommandSnapshots({ folder, history, limits, tellMs = 300 }: SnapshotOptions): CommandSnapshots {
  const workspaces = new Map<string, Workspace>();
  const lock = createKeyLock();

  function workspaceAt(root: string): Workspace {
    const known = workspaces.get(root);
    if (known) return known;
    const made = openWorkspace(root, takePlace(folder, root), history.newestEdit());
    workspaces.set(root, made);
    return made;
  }

  /** Looks, and gives what there is to say. @throws the signal's reason */
  async function tryLook(
    workspace: Workspace,
    by: Actor | undefined,
    signal: AbortSignal,
    { hears, onCopied }: { hears?: Actor; onCopied?: OnCopied | undefined } = {},
  ): Promise<string | undefined> {
    const startedAt = performance.now();
    const told = onCopied && seldom(tellMs, onCopied);
    const { complete, owed } = workspace;
    let looked = NOTHING;
    try {
      const options = { history, limits: limits(), signal, ...(told && { onCopied: told }) };
      looked = await patiently(() => look(workspace, complete ? by : undefined, options));
      workspace.owed = undefined;
      workspace.complete = looked.tooMuch === undefined;
      workspace.problem = looked.tooMuch && inVain(looked.tooMuch);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NotRecorded && by) {
        workspace.owed = by;
        return notYet(whyNotRecorded(error.cause));
      }
      workspace.complete = false;
      workspace.problem = inVain(whyNotRecorded(error));
    }
    if (!workspace.complete) {
      if (performance.now() - startedAt > COSTLY_MS) workspace.again = Date.now() + PAUSE_MS;
      await forgetAll(workspace);
    }
    return sentences(describe(workspace, looked, hears), owed && !workspace.owed ? CAUGHT_UP : undefined);
  }

  return {
    async begin(root, actor, signal, onCopied) {
      let workspace: Workspace;
      let warning: string | undefined;
      try {
        workspace = workspaceAt(root);
        await lock.run(root, async () => {
          // While another command runs, what changes may be its doing.
          const isDue = workspace.running.length === 0 && Date.now() >= workspace.again;
          const by = workspace.owed ?? workspace.goesOn?.actor;
          if (isDue) warning = await tryLook(workspace, by, signal, { hears: actor, onCopied });
          else if (!workspace.complete) warning = workspace.problem;
          if (workspace.complete) noteOpen(workspace, actor);
          workspace.running = [...workspace.running, actor];
        });
      } catch (error) {
        signal.throwIfAborted();
        // No reason to run nothing: a full disk may be what the command is for.
        const said = inVain(whyNotRecorded(error));
        return { warning: said, end: () => Promise.resolve(said) };
      }
      return {
        warning,
        end: ({ goesOn, outlives = false }) =>
          lock.run(root, async () => {
            const news = workspace.complete ? await tryLook(workspace, actor, NEVER, { hears: actor }) : undefined;
            workspace.running = workspace.running.filter((one) => one !== actor);
            workspace.goesOn = goesOn ? { actor, outlives } : undefined;
            if (workspace.running.length === 0 && !goesOn && !workspace.owed) noteDone(workspace);
            return sentences(warning, news === warning ? undefined : news);
          }),
      };
    },
    async recover() {
      const unrecorded: string[] = [];
      for (const left of leftPlaces(folder)) {
        using place = left;
        const last = readIndex(place.folder);
        if (!last?.actor) {
          const isDamaged = isOpen(place.folder);
          writeOpen(place.folder, undefined);
          if (isDamaged) unrecorded.push(damagedNote(last?.root, putAside(place)));
          continue;
        }
        if (!last.isThere) {
          unrecorded.push(notThere(last.root, place.folder));
          continue;
        }
        const workspace = workspaceFrom(last.root, place, last, history.newestEdit());
        await tryLook(workspace, last.actor, NEVER);
        if (workspace.owed) unrecorded.push(stillOwed(last.root));
        await close(workspace);
      }
      return unrecorded;
    },
    async before(files) {
      for (const workspace of workspaces.values()) {
        const inside = files.filter((file) => isCovered(file, workspace.root, limits().exclude));
        if (!authorIn(workspace) || inside.every((file) => isAsKnown(workspace, file))) continue;
        await lock.run(workspace.root, async () => {
          const by = authorIn(workspace);
          if (!by || !workspace.complete) return;
          const options = { history, limits: limits(), signal: NEVER };
          try {
            await patiently(() => lookAtFiles(workspace, by, inside, options));
          } catch (error) {
            throw notBefore(inside, error);
          }
        });
      }
    },
    made({ id, path: file }) {
      for (const workspace of workspaces.values()) {
        if (!isCovered(file, workspace.root, limits().exclude)) continue;
        const renewed = () => renew(workspace, file, (entry) => history.isLeftBy(id, entry));
        void lock.run(workspace.root, renewed).catch(() => undefined);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const workspace of workspaces.values()) {
        await lock.run(workspace.root, async () => {
          // What went on has ended by now, unless it outlives this program: what it did since its call is to be recorded, too.
          const { complete, goesOn } = workspace;
          if (complete && goesOn)
            await tryLook(workspace, workspace.owed ?? goesOn.actor, NEVER).catch(() => undefined);
          await close(workspace);
        });
      }
      workspaces.clear();
    },
  };
}

/** Looks again where a file was just being edited: then nobody can say who made it what it is. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBeingEdited =
        error instanceof NotRecorded && error.cause instanceof CausewayError && error.cause.code === 'conflict';
      if (!isBeingEdited || performance.now() > end) throw error;
      await delay(WAIT_MS);
    }
  }
}

/** True below a workspace, outside of folders that are left out. */
function isCovered(file: string, root: string, exclude: readonly string[]): boolean {
  if (!file.startsWith(`${root}${path.sep}`)) return false;
  const folders = path.relative(root, path.dirname(file)).split(path.sep);
  return !folders.some((folder) => exclude.includes(folder));
}

function notBefore([file = '']: readonly string[], error: unknown): CausewayError {
  const why = whyNotRecorded(error instanceof NotRecorded ? error.cause : error);
  return new CausewayError(
    'io',
    `What a command made of ${file} could not be recorded, so nothing was changed: ${why}.`,
    {
      hint: 'What was there before the command would be lost. Try again when this is mended.',
      cause: error,
    },
  );
}

/** What a look found: what was lost each time, and what is left out when its session has not heard of it. */
function describe(
  { root, problem, said }: Workspace,
  { leftOut, lost }: Looked,
  hears: Actor | undefined,
): string | undefined {
  function isNews(what: string): boolean {
    const heard = `${hears?.sessionId} ${what}`;
    if (said.has(heard)) return false;
    said.add(heard);
    return true;
  }
  const news = new Map<string, WhyLeftOut>([...leftOut].filter(([file, why]) => isNews(`${why} ${file}`)));
  return sentences(
    problem,
    describeLeftOut(news, root),
    describeLost(
      lost.filter((file) => !news.has(file)),
      root,
    ),
  );
}

function sentences(...said: readonly (string | undefined)[]): string | undefined {
  const parts = said.filter((one) => one !== undefined);
  return parts.length > 0 ? parts.join(' ') : undefined;
}

function seldom(pauseMs: number, tell: OnCopied): OnCopied {
  let toldAt = performance.now();
  return (done, total) => {
    if (performance.now() - toldAt < pauseMs) return;
    toldAt = performance.now();
    tell(done, total);
  };
}

function inVain(why: string): string {
  return `What commands change here can not be undone: ${why}. See "history" in the settings.`;
}

function notYet(why: string): string {
  return `What this command changed is not in the history yet: ${why}. What is needed for it is kept, and it is recorded as soon as that works; until then it can not be undone.`;
}
