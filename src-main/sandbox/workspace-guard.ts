import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, open, realpath, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../platform/index.ts';
import type { GuardOptions, MovedEntry, WorkspaceGuard } from './contract.ts';
import { createNestedLook, plantedBelow, type NestedEntries } from './nested-entries.ts';

/*
 * A security boundary: entries of a workspace that programs outside obey (a repository's hooks and config, an editor's tasks).
 * Those that are there when a sandbox starts are mounted read-only; what was planted meanwhile is moved aside afterwards.
 *
 * It does NOT protect against: repositories further down than the bounded look goes; scripts that a repository tracks and a person
 * runs (Makefile, package.json, .envrc, hooks below core.hooksPath); use of a planted entry by another program before the sandbox ends.
 * What somebody else makes there while a sandbox runs is taken for its own.
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
/** What git runs or takes settings from, where the workspace itself is a bare repository. */
const OBEYED_IN_BARE = ['config', 'config.worktree', 'hooks', 'commondir'];
/** How often another name is tried for what cannot be moved. */
const TRIES = 5;
const MAY_ALL = 0o700;

const NOTHING: NestedEntries = new Map();

/** Takes down how a workspace and these entries of it are, to compare later. */
export async function guardWorkspace(
  workspace: string,
  names: readonly string[],
  { below = false }: GuardOptions = {},
): Promise<WorkspaceGuard> {
  const lookBelow = below ? createNestedLook(workspace, names) : undefined;
  const before = await look(workspace, names);
  const nested = (await lookBelow?.()) ?? NOTHING;
  const couldEnter = await canEnter(workspace);
  const ofBare = isBareRepository(before) ? await protectableEntries(workspace, OBEYED_IN_BARE) : [];
  return {
    nested: [...ofBare, ...[...nested].filter(([, { mountable }]) => mountable).map(([name]) => name)],
    async holds() {
      const [now, nestedNow = NOTHING] = await Promise.all([look(workspace, names), lookBelow?.()]);
      return isSame(before, now) && isSame(nested, nestedNow) && nested.size === nestedNow.size;
    },
    async moveAsidePlanted() {
      // In a folder that may not be entered nothing would be seen.
      if (couldEnter && !(await canEnter(workspace))) await openFolder(workspace, workspace);
      const after = await look(workspace, names);
      const planted = names.filter((name) => appeared(before, after, name));
      // Judged by what is there now: the parts may have come one by one, in several calls.
      if (isBareRepository(after) && !isBareRepository(before)) planted.push('HEAD');
      else if (isBareRepository(after) && appeared(before, after, 'commondir')) planted.push('commondir');
      const nestedNow = (await lookBelow?.((folder) => openFolder(folder, workspace))) ?? NOTHING;
      planted.push(...plantedBelow(nested, nestedNow));
      const moved: MovedEntry[] = [];
      for (const name of planted) moved.push({ from: name, to: await moveAside(workspace, name) });
      return moved;
    },
  };
}

async function canEnter(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && (found.mode & MAY_ALL) === MAY_ALL;
}

function isBareRepository(state: State): boolean {
  const [head, objects, refs, common] = BARE_REPOSITORY.map((name) => state.get(name)?.identity !== 'none');
  return head === true && ((objects === true && refs === true) || common === true);
}

function isSame(
  before: ReadonlyMap<string, { readonly identity: string }>,
  now: ReadonlyMap<string, { readonly identity: string }>,
): boolean {
  return [...before].every(([name, { identity }]) => now.get(name)?.identity === identity);
}

/** Gives the new name, or undefined when it can be moved nowhere. Code can neither guess the name nor lock the folder. */
async function moveAside(workspace: string, name: string): Promise<string | undefined> {
  const folder = path.dirname(path.join(workspace, name));
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const to = `${name}.from-sandbox-${randomBytes(8).readBigUInt64LE()}`;
    try {
      await renameWithin(folder, workspace, path.basename(name), path.basename(to));
      return to;
    } catch {
      await openFolder(folder, workspace);
    }
  }
  return undefined;
}

/** The folder is held open, so that code of another sandbox cannot put a link in its place that leads out. */
async function renameWithin(folder: string, workspace: string, from: string, to: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const held = `/proc/self/fd/${handle.fd}`;
  if (!isInside(await realpath(held), workspace)) return;
  await rename(path.join(held, from), path.join(held, to));
}

/** Code may have taken away the right to change the folder, which is the person's. */
async function openFolder(folder: string, workspace: string): Promise<void> {
  try {
    if (!isInside(await realpath(folder), workspace)) return;
    await chmod(folder, (await stat(folder)).mode | MAY_ALL);
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
