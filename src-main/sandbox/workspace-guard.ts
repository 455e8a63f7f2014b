import { lstat, realpath, rename } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../platform/index.ts';
import type { WorkspaceGuard } from './contract.ts';

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

/** Together in a workspace's top folder they make git take it for a bare repository and obey its config. */
const BARE_REPOSITORY = ['HEAD', 'objects', 'refs'];

/** Takes down how a workspace and these entries of it are, to compare later. */
export async function guardWorkspace(workspace: string, names: readonly string[]): Promise<WorkspaceGuard> {
  const before = await look(workspace, names);
  return {
    async holds() {
      const now = await look(workspace, names);
      return [...before].every(([name, { identity }]) => now.get(name)?.identity === identity);
    },
    async moveAsidePlanted() {
      const after = await look(workspace, names);
      const planted = names.filter((name) => appeared(before, after, name));
      const bare = BARE_REPOSITORY.every((name) => after.get(name)?.identity !== 'none');
      if (bare && appeared(before, after, 'HEAD')) planted.push('HEAD');
      const moved: [string, string][] = [];
      for (const name of planted) {
        const to = `${name}.from-sandbox-${Date.now()}`;
        await rename(path.join(workspace, name), path.join(workspace, to));
        moved.push([name, to]);
      }
      return moved;
    },
  };
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
