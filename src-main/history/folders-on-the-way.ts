import path from 'node:path';
import type { EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import { isInside } from '../platform/index.ts';
import type { Actor } from './contract.ts';
import type { EditSummary } from './edit-row.ts';
import { foldersAbove } from './folders.ts';
import type { Journal } from './journal.ts';
import { createKeyLock } from './path-lock.ts';
import type { Outcome, Perform, Step } from './perform.ts';
import { typesOf, type Move } from './plan.ts';

const FOLDER = { type: 'folder', bytes: new Uint8Array(0) } as const;

/**
 * Lets changes that make something also make the folders above it that are missing, each with a record of its own that is durable
 * before the folder is there. Outcomes are those of the given steps only. A folder whose file could not be made goes again.
 * @param files for actors who have none of their own.
 */
export function withMissingFolders(perform: Perform, files: FileOperator): Perform {
  // Not the lock of paths: whoever comes here holds some of those, and could wait for one who waits for them.
  const lock = createKeyLock();

  /** By path, with whom it is made for. Where something is there already, that costs one look at a folder. */
  async function missingAbove(steps: readonly Step[]): Promise<Map<string, Actor>> {
    const missing = new Map<string, Actor>();
    const known = new Set(steps.map((step) => step.path));
    for (const { path: file, before, after, actor, onPaper } of steps) {
      if (before !== null || after === null || onPaper) continue;
      for (let folder = path.dirname(file); !known.has(folder); folder = path.dirname(folder)) {
        known.add(folder);
        if (await isThere(actor.files ?? files, folder)) break;
        missing.set(folder, actor);
      }
    }
    return missing;
  }

  return async (steps) => {
    const seen = await missingAbove(steps);
    if (seen.size === 0) return perform(steps);
    return lock.run([...seen.keys()], async () => {
      const missing = await missingAbove(steps);
      const folders = [...missing]
        .map(([folder, actor]): Step => ({ path: folder, actor, kind: 'create', before: null, after: FOLDER }))
        .sort((a, b) => a.path.length - b.path.length);
      const outcomes = await perform([...folders, ...steps]);
      const own = outcomes.slice(folders.length);
      const made = steps.filter((_, index) => isMade(own[index])).map((step) => step.path);
      const inVain = folders.flatMap((folder, index): Step[] => {
        const edit = editOf(outcomes[index]);
        if (!edit || made.some((one) => isInside(one, folder.path))) return [];
        return [{ ...folder, kind: 'undo', of: edit.id, before: FOLDER, after: null }];
      });
      if (inVain.length > 0) await perform(inVain);
      return own;
    });
  };
}

/** True for a folder that nobody asked for: it was made on the way to a file. One that a command made has its permissions told. */
export function isOnTheWay({ kind, typeAfter, modeAfter }: EditSummary): boolean {
  return kind === 'create' && typeAfter === 'folder' && modeAfter === null;
}

/** How to take back the folders that were made for the file of this move, if it is gone after it: each goes if nothing else is in it. */
export function foldersToGo(journal: Journal, move: Move): Move[] {
  const { edit } = move;
  const [from, to] = typesOf(move);
  if (from === null || to !== null) return [];
  const above = foldersAbove([edit.path]).reverse();
  return journal.foldersFor(edit.id, above).map((folder) => ({ edit: folder, kind: 'undo' }));
}

/** The same moves, and after them those of the folders that go with them, each once. */
export function withFolders(journal: Journal, moves: readonly Move[]): Move[] {
  const going = new Map(moves.flatMap((move) => foldersToGo(journal, move)).map((move) => [move.edit.id, move]));
  for (const { edit } of moves) going.delete(edit.id);
  return [...moves, ...[...going.values()].sort((a, b) => b.edit.path.length - a.edit.path.length)];
}

/** What is wrong with a folder shows when the file is made. */
async function isThere(files: FileOperator, folder: string): Promise<boolean> {
  if (path.dirname(folder) === folder) return true;
  const stat = await files.stat(folder, { follow: false }).catch(() => undefined);
  return stat !== null;
}

function editOf(outcome: Outcome | undefined): EditView | undefined {
  return outcome && 'edit' in outcome ? outcome.edit : undefined;
}

function isMade(outcome: Outcome | undefined): boolean {
  return editOf(outcome) !== undefined;
}
