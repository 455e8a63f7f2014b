import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';

/*
 * A bounded look for what git and editors obey in the folders of a workspace: entries with the given names, and whole folders that git
 * takes for a bare repository.
 */

/** Levels below the workspace, and folders, that are looked at; what lies further is not protected. */
const DEEPEST = 3;
const MOST_FOLDERS = 100;
/** A folder whose list is longer, in bytes, holds thousands of files: folders in it are not looked at. */
const LONGEST_LIST = 128 * 1024;
/** Nobody works in there, and they hold most of the folders. */
const LEFT_OUT = new Set(['node_modules', '__pycache__', '.venv', 'venv']);
/** A folder that changed so short a time before it was read may change again under the same time of change. */
const SETTLED_MS = 100;
const PARTS_OF_BARE = ['HEAD', 'objects', 'refs', 'commondir'];

/** Something found: its identity, and whether it can be mounted over itself. `head` is what makes a bare repository one. */
export interface NestedEntry {
  readonly identity: string;
  readonly mountable: boolean;
  readonly head?: string;
}

/** Finds by path below the workspace. */
export type NestedEntries = ReadonlyMap<string, NestedEntry>;

interface Folder {
  readonly state: string;
  readonly isSettled: boolean;
  /** Of the names looked for, and of the parts of a bare repository. */
  readonly names: ReadonlySet<string>;
  /** Undefined where there are too many. */
  readonly folders: readonly string[] | undefined;
}

type OnClosed = (folder: string) => Promise<void>;

/**
 * Gives a look that can be taken again and again: folders that did not change are not read anew, and those of the first look are always
 * among them. What the first one had no room for is never looked at: it would seem to be new. `onClosed` is told of a folder that may
 * not be read, before it is tried once more.
 */
export function createNestedLook(
  workspace: string,
  names: readonly string[],
): (onClosed?: OnClosed) => Promise<NestedEntries> {
  let first: ReadonlyMap<string, Folder> | undefined;
  let isComplete = true;
  let known: ReadonlyMap<string, Folder> = new Map();

  /** Of the folders of a level, those that there is room for. */
  function roomFor(level: readonly string[], taken: number): string[] {
    const there = level.filter((name) => first?.has(name));
    const others = level.filter((name) => !first?.has(name));
    const room = isComplete ? Math.max(0, MOST_FOLDERS - taken) : 0;
    if (!first && others.length > room) isComplete = false;
    return [...there, ...others.slice(0, room)];
  }

  return async (onClosed) => {
    const seen = new Map<string, Folder>();
    const found: string[] = [];
    const bare = new Map<string, string>();
    let level = [''];
    for (let depth = 0; depth <= DEEPEST && level.length > 0; depth += 1) {
      const folders = await Promise.all(
        roomFor(level, seen.size).map(
          async (name) =>
            [name, await folderAt(workspace, name, { names, before: known.get(name), onClosed })] as const,
        ),
      );
      level = [];
      for (const [name, folder] of folders) {
        if (!folder) continue;
        seen.set(name, folder);
        // The top is the guard's own.
        if (name !== '') found.push(...names.filter((one) => folder.names.has(one)).map((one) => path.join(name, one)));
        const before = first?.get(name);
        const below = before && !before.folders ? [] : (folder.folders ?? before?.folders ?? []);
        if (name !== '' && isBareRepository(folder.names)) bare.set(name, path.join(name, 'HEAD'));
        else level.push(...below.map((one) => path.join(name, one)));
      }
    }
    first ??= seen;
    known = seen;
    const all = [...found, ...bare.keys()];
    const entries = await Promise.all(all.map(async (name) => [name, await entryAt(workspace, name, bare)] as const));
    return new Map(entries.flatMap(([name, entry]) => (entry ? [[name, entry] as const] : [])));
  };
}

async function folderAt(
  workspace: string,
  name: string,
  options: { names: readonly string[]; before: Folder | undefined; onClosed: OnClosed | undefined },
): Promise<Folder | undefined> {
  const { names, before, onClosed } = options;
  const place = path.join(workspace, name);
  const stat = await lstat(place, { bigint: true }).catch(() => undefined);
  if (!stat?.isDirectory()) return undefined;
  const state = `${stat.dev}:${stat.ino}:${stat.ctimeNs}`;
  if (before?.isSettled && before.state === state) return before;
  const isSettled = Number(stat.ctimeMs) < Date.now() - SETTLED_MS;
  const wanted = [...names, ...PARTS_OF_BARE];
  if (stat.size > LONGEST_LIST) {
    const there = await Promise.all(wanted.map((one) => lstat(path.join(place, one)).then(Boolean, () => false)));
    return { state, isSettled, names: new Set(wanted.filter((_, index) => there[index])), folders: undefined };
  }
  const read = (): Promise<Dirent[]> => readdir(place, { withFileTypes: true });
  const entries = await read().catch(async () => {
    await onClosed?.(place);
    return await read().catch(() => []);
  });
  const folders = entries.filter((one) => one.isDirectory() && !LEFT_OUT.has(one.name) && !names.includes(one.name));
  return {
    state,
    isSettled,
    names: new Set(entries.map((one) => one.name).filter((one) => wanted.includes(one))),
    folders: folders.map((one) => one.name).toSorted(),
  };
}

/** `is_git_directory` in git's setup.c, by the names alone. */
function isBareRepository(names: ReadonlySet<string>): boolean {
  return names.has('HEAD') && ((names.has('objects') && names.has('refs')) || names.has('commondir'));
}

async function entryAt(
  workspace: string,
  name: string,
  bare: ReadonlyMap<string, string>,
): Promise<NestedEntry | undefined> {
  const stat = await lstat(path.join(workspace, name)).catch(() => undefined);
  if (!stat) return undefined;
  const head = bare.get(name);
  return {
    identity: `${stat.dev}:${stat.ino}`,
    mountable: stat.isDirectory() || stat.isFile(),
    ...(head !== undefined && { head }),
  };
}

/** Those of `after` that were not there before. What was mounted read-only is what it was, also where its folder has been moved. */
export function plantedBelow(before: NestedEntries, after: NestedEntries): string[] {
  const kept = new Set([...before.values()].filter(({ mountable }) => mountable).map(({ identity }) => identity));
  return [...after]
    .filter(([name, { identity }]) => !kept.has(identity) && before.get(name)?.identity !== identity)
    .map(([name, { head }]) => head ?? name);
}
