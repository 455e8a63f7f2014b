import { randomBytes } from 'node:crypto';
import { chmod, lstat, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../platform/index.ts';
import type { MovedEntry, WorkspaceGuard } from './contract.ts';

/*
 * A security boundary: entries of a workspace that programs outside obey (a repository's hooks and config, an editor's tasks).
 * Those that are there when a sandbox starts are mounted read-only; what was planted meanwhile is moved aside afterwards.
 *
 * It does NOT protect against: repositories in sub-folders of the workspace; scripts that a repository tracks and a person
 * runs (Makefile, package.json, hooks below core.hooksPath); use of a planted entry by another program before the sandbox ends.
 */

/** An entry's identity (`none` where there is nothing), and whether it can be mounted over itself: symlinks can't. */
interface Entry {
  readonly identity: string;
  readonly mountable: boolean;
}

type State = ReadonlyMap<string, Entry>;

/**
 * What git looks at in a folder to take it for a bare repository, whose config it obeys: HEAD, with objects and refs beside it or in the
 * folder that `commondir` names (`is_git_directory` in git's setup.c).
 */
const BARE_REPOSITORY = ['HEAD', 'objects', 'refs', 'commondir'];
/** How often another name is tried for what cannot be moved. */
const TRIES = 5;
const MAY_WRITE_AND_ENTER = 0o300;

/** Takes down how a workspace and these entries of it are, to compare later. */
export async function guardWorkspace(workspace: string, names: readonly string[]): Promise<WorkspaceGuard> {
  const before = await look(workspace, names);
  const couldEnter = await canEnter(workspace);
  return {
    async holds() {
      const now = await look(workspace, names);
      return [...before].every(([name, { identity }]) => now.get(name)?.identity === identity);
    },
    async moveAsidePlanted() {
      // In a folder that may not be entered nothing would be seen.
      if (couldEnter && !(await canEnter(workspace))) await openFolder(workspace, workspace);
      const after = await look(workspace, names);
      const planted = names.filter((name) => appeared(before, after, name));
      // Judged by what is there now: the parts may have come one by one, in several calls.
      if (isBareRepository(after) && !isBareRepository(before)) planted.push('HEAD');
      const moved: MovedEntry[] = [];
      for (const name of planted) moved.push({ from: name, to: await moveAside(workspace, name) });
      return moved;
    },
  };
}

async function canEnter(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && (found.mode & MAY_WRITE_AND_ENTER) === MAY_WRITE_AND_ENTER;
}

function isBareRepository(state: State): boolean {
  const [head, objects, refs, common] = BARE_REPOSITORY.map((name) => state.get(name)?.identity !== 'none');
  return head === true && ((objects === true && refs === true) || common === true);
}

/** Gives the new name, or undefined when it can be moved nowhere. Code can neither guess the name nor lock the folder. */
async function moveAside(workspace: string, name: string): Promise<string | undefined> {
  const from = path.join(workspace, name);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const to = `${name}.from-sandbox-${randomBytes(8).readBigUInt64LE()}`;
    try {
      await rename(from, path.join(workspace, to));
      return to;
    } catch {
      await openFolder(path.dirname(from), workspace);
    }
  }
  return undefined;
}

/** Code may have taken away the right to change the folder, which is the person's. */
async function openFolder(folder: string, workspace: string): Promise<void> {
  try {
    if (!isInside(await realpath(folder), workspace)) return;
    await chmod(folder, (await stat(folder)).mode | MAY_WRITE_AND_ENTER);
  } catch {
    // The next try says what comes of it.
  }
}

/** The entries that are there and can be mounted over themselves. */
export async function protectableEntries(workspace: string, names: readonly string[]): Promise<string[]> {
  const state = await look(workspace, names);
  return names.filter((name) => state.get(name)?.mountable);
}

async function look(workspace: string, names: readonly string[]): Promise<State> {
  const all = ['', ...names, ...BARE_REPOSITORY];
  return new Map(await Promise.all(all.map(async (name) => [name, await lookAt(workspace, name)] as const)));
}

function appeared(before: State, after: State, name: string): boolean {
  const now = after.get(name);
  const then = before.get(name);
  return now?.identity !== 'none' && now?.identity !== then?.identity && !then?.mountable;
}

async function lookAt(workspace: string, name: string): Promise<Entry> {
  const stat = await lstat(path.join(workspace, name)).catch(() => undefined);
  if (!stat) return { identity: 'none', mountable: false };
  // A link in the place of its folder may lead out, and the mount with it.
  const folder = await realpath(path.dirname(path.join(workspace, name))).catch(() => undefined);
  const isOwn = name === '' || (folder !== undefined && isInside(folder, workspace));
  return { identity: `${stat.dev}:${stat.ino}`, mountable: isOwn && (stat.isDirectory() || stat.isFile()) };
}
