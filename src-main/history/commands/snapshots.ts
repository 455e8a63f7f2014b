import { existsSync } from 'node:fs';
import path from 'node:path';
import type { EditView } from '../../../src-shared/index.ts';
import { createKeyLock } from '../path-lock.ts';
import type { Actor, History } from '../contract.ts';
import { describeLeftOut, describeLost, type WhyLeftOut } from './left-out.ts';
import { look, NotRecorded, type Looked } from './look.ts';
import { readIndex, writeOpen } from './index-file.ts';
import { leftPlaces, takePlace } from './place.ts';
import type { ScanLimits } from './scan.ts';
import { whyNotRecorded } from './why-not-recorded.ts';
import {
  close,
  forgetAll,
  noteDone,
  noteOpen,
  openWorkspace,
  renew,
  workspaceFrom,
  type By,
  type Workspace,
} from './workspace.ts';

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
  /** What will not be covered, in sentences. */
  readonly warning: string | undefined;
  /**
   * Records what the command changed. `goesOn`: it still runs, so what changes until the next look is its own, too.
   * Gives the warning with what else could not be covered. Never rejects.
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
  /**
   * Records what commands changed that a killed Causeway had running, or that could not be recorded then; nothing of theirs may
   * run any more.
   */
  recover(): Promise<void>;
  /** An edit was made otherwise (by the editor, by an undo): it is no command's. */
  made(edit: EditView): void;
}

export type OnCopied = (done: number, total: number) => void;

/** A look in vain that took longer is not repeated at every command, but after this pause. In milliseconds. */
const COSTLY_MS = 30;
const PAUSE_MS = 60_000;
const NEVER = new AbortController().signal;
const NOTHING: Looked = { leftOut: new Map(), lost: [] };
const CAUGHT_UP = 'What earlier commands changed is in the history now.';

export function createCommandSnapshots({ folder, history, limits, tellMs = 300 }: SnapshotOptions): CommandSnapshots {
  const workspaces = new Map<string, Workspace>();
  const lock = createKeyLock();

  function workspaceAt(root: string): Workspace {
    const known = workspaces.get(root);
    if (known) return known;
    const made = openWorkspace(root, takePlace(folder, root));
    workspaces.set(root, made);
    return made;
  }

  /** Looks, and gives what there is to say. @throws the signal's reason */
  async function tryLook(
    workspace: Workspace,
    by: By | undefined,
    signal: AbortSignal,
    onCopied?: OnCopied,
  ): Promise<string | undefined> {
    const startedAt = performance.now();
    const told = onCopied && seldom(tellMs, onCopied);
    const { complete, owed } = workspace;
    let looked = NOTHING;
    try {
      looked = await look(workspace, complete ? by : undefined, {
        ...{ history, limits: limits(), signal },
        ...(told && { onCopied: told }),
      });
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
    return sentences(describe(workspace, looked), owed && !workspace.owed ? CAUGHT_UP : undefined);
  }

  return {
    async begin(root, actor, signal, onCopied) {
      const by = { ...actor, since: Date.now() };
      let workspace: Workspace;
      let warning: string | undefined;
      try {
        workspace = workspaceAt(root);
        await lock.run(root, async () => {
          // While another command runs, what changes may be its doing.
          const isDue = workspace.running === 0 && Date.now() >= workspace.again;
          const since = workspace.owed ?? workspace.goesOn;
          if (isDue) warning = await tryLook(workspace, since, signal, onCopied);
          if (workspace.complete) noteOpen(workspace, actor);
          workspace.running += 1;
        });
      } catch (error) {
        signal.throwIfAborted();
        // No reason to run nothing: a full disk may be what the command is for.
        const said = inVain(whyNotRecorded(error));
        return { warning: said, end: () => Promise.resolve(said) };
      }
      return {
        warning,
        end: ({ goesOn }) =>
          lock.run(root, async () => {
            const news = workspace.complete ? await tryLook(workspace, by, NEVER) : undefined;
            workspace.running -= 1;
            workspace.goesOn = goesOn ? by : undefined;
            if (workspace.running === 0 && !goesOn && !workspace.owed) noteDone(workspace);
            return sentences(warning, news === warning ? undefined : news);
          }),
      };
    },
    async recover() {
      for (const left of leftPlaces(folder)) {
        using place = left;
        const last = readIndex(place.folder);
        if (!last?.actor) {
          writeOpen(place.folder, undefined);
          continue;
        }
        // A workspace on a disk that is not there now has not lost its files.
        if (!existsSync(last.root)) continue;
        const workspace = workspaceFrom(last.root, place, last);
        await tryLook(workspace, workspace.owed, NEVER);
        await close(workspace);
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

/** What a look found that was not said before. */
function describe({ root, problem, said }: Workspace, { leftOut, lost }: Looked): string | undefined {
  function isNews(what: string): boolean {
    if (said.has(what)) return false;
    said.add(what);
    return true;
  }
  const news = new Map<string, WhyLeftOut>([...leftOut].filter(([file, why]) => isNews(`${why} ${file}`)));
  const lostBefore = lost.filter((file) => !news.has(file) && isNews(`lost ${file}`));
  return sentences(
    problem !== undefined && isNews(problem) ? problem : undefined,
    describeLeftOut(news, root),
    describeLost(lostBefore, root),
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
