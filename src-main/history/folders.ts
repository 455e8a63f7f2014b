import path from 'node:path';
import type { EntryType } from '../../src-shared/index.ts';
import type { EditSummary } from './edit-row.ts';
import type { EntryState } from './entry.ts';
import type { Step } from './perform.ts';
import { byPath, typesOf, type Move } from './plan.ts';

/*
 * Folders are where paths depend on each other: what is in one needs it, and it can go only when nothing is in it. So the moves of
 * a folder can't all be made one by one, each as its record says.
 */

const NOTHING = new Uint8Array(0);

/** All folders above these paths, the outer ones first. */
export function foldersAbove(paths: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const file of paths) {
    for (let at = path.dirname(file); !folders.has(at); at = path.dirname(at)) folders.add(at);
  }
  return [...folders].sort((a, b) => a.length - b.length);
}

/** True for an edit that makes or removes a folder. */
export function isFolderMove({ beforeHash, afterHash, typeBefore, typeAfter }: EditSummary): boolean {
  return beforeHash === null ? typeAfter === 'folder' : afterHash === null && typeBefore === 'folder';
}

/** What such an edit leaves behind. */
export function folderAfter({ afterHash, modeAfter }: EditSummary): Step['after'] {
  if (afterHash === null) return null;
  return { type: 'folder', bytes: NOTHING, ...(modeAfter !== null && { mode: modeAfter }) };
}

/** A folder comes with what is put back in it, and may be there or gone before its own turn: it is as it is to be. */
export function isFolderAlready(from: EditSummary, { type, hash }: EntryState): boolean {
  if (from.beforeHash === null) return from.typeAfter === 'folder' && hash === null;
  return from.typeBefore === 'folder' && type === 'folder' && hash !== null;
}

/**
 * The same moves in an order in which a folder stands before something comes into it, and is empty before it goes: an edit that was
 * done again counts as new, also where what lies in the folder, or the folder that it lies in, is as an older one left it.
 */
export function inFolderOrder(moves: readonly Move[], onPaper: ReadonlyMap<Move, Staying>): Move[] {
  const ordered = new Set<Move>();
  const waiting = byPath(moves);
  const types = new Map([...waiting].map(([file, own]) => [file, own[0] && typesOf(own[0])[0]]));
  function take(move: Move): void {
    if (ordered.has(move)) return;
    const { path: file } = move.edit;
    const [before, after] = typesOf(move);
    if (!onPaper.has(move)) {
      if (after !== null) for (const folder of foldersAbove([file])) takeUntil(folder, 'folder');
      if (before === 'folder' && after !== 'folder') {
        for (const inside of waiting.keys()) if (inside.startsWith(file + path.sep)) takeUntil(inside, null);
      }
    }
    ordered.add(move);
    types.set(file, after);
  }
  function takeUntil(file: string, wanted: EntryType | null): void {
    const left = waiting.get(file)?.filter((move) => !ordered.has(move)) ?? [];
    const last = types.get(file) === wanted ? -1 : left.findIndex((move) => typesOf(move)[1] === wanted);
    for (const move of left.slice(0, last + 1)) take(move);
  }
  for (const move of moves) take(move);
  return [...ordered];
}

/** What is at a path all the time while its moves are made in the records only. */
export type Staying = 'folder' | 'nothing';

/**
 * Moves in a row from a folder to a folder, or from nothing to nothing: they are made in the records only. What is in a folder may
 * stand all the time; and what was there for a while may have been in a folder that is not there now.
 */
export function movesOnPaper(moves: readonly Move[]): Map<Move, Staying> {
  const found = new Map<Move, Staying>();
  for (const own of byPath(moves).values()) {
    own.forEach((first, at) => {
      const [start] = typesOf(first);
      if (found.has(first) || (start !== 'folder' && start !== null)) return;
      const back = own.findIndex((move, index) => index > at && typesOf(move)[1] === start);
      for (const move of own.slice(at, back + 1)) found.set(move, start ?? 'nothing');
    });
  }
  return found;
}
