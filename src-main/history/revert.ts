import {
  CausewayError,
  type EditTarget,
  type EditView,
  type EntryType,
  type PlannedFile,
  type RevertKind,
  type RevertReport,
} from '../../src-shared/index.ts';
import type { FileOperator, FileStat } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import type { Actor, Entry } from './contract.ts';
import { toView, type EditRow, type EditSummary } from './edit-row.ts';
import { readEntry, stateOf, type EntryState } from './entry.ts';
import { folderMoves, isOnTheWay } from './folders.ts';
import type { Journal } from './journal.ts';
import type { Outcome, Perform, Step } from './perform.ts';
import { planOf, type Move } from './plan.ts';
import { inParallel } from './in-parallel.ts';
import { changedSince, newerOnTop, notApplied, notUndone, redoConflict } from './refusals.ts';
import { isAfter } from './settle.ts';
import { loadSide } from './sides.ts';
import { compareByDepth, rankOf, RANKS } from './write-entry.ts';

/** Steps made together: their bytes are in memory. */
const STEPS_AT_ONCE = 200;

/** Undo and redo, of one edit or of many. The caller holds the locks of the paths that `pathsOf` names. */
export interface Revert {
  movesOf(target: EditTarget, kind: RevertKind): Move[];
  /** Undo and redo are edits too: taking one back is doing the other on what was asked for first. */
  moveOf(editId: number, kind: RevertKind): Move;
  preview(moves: readonly Move[]): Promise<PlannedFile[]>;
  run(moves: readonly Move[], actor: Actor): Promise<RevertReport>;
  /** With the folders that were made for the file. @throws CausewayError what stands in the way. */
  runOne(move: Move, actor: Actor): Promise<EditView>;
  /** Takes the folders back that were made for the file of this move, which is gone again; one that is not empty stays. */
  removeFolders(move: Move, actor: Actor): Promise<void>;
}

export function createRevert(parts: {
  journal: Journal;
  files: FileOperator;
  blobs: ByteStore;
  perform: Perform;
}): Revert {
  const { journal, blobs, perform } = parts;

  function mustFind(editId: number): EditRow {
    const edit = journal.find(editId);
    if (!edit) throw new CausewayError('not_found', `There is no edit ${editId} in the history.`);
    return edit;
  }

  function moveOf(editId: number, kind: RevertKind): Move {
    const edit = mustFind(editId);
    if (edit.of === null) return { edit, kind };
    const other = kind === 'undo' ? 'redo' : 'undo';
    return moveOf(edit.of, edit.kind === 'undo' ? other : kind);
  }

  /** The edit whose state before is to come back: for an undo the edit itself, for a redo its undo. */
  function reversed({ edit: { id }, kind }: Move): EditRow {
    const edit = mustFind(id);
    if (kind === 'redo') {
      const undone = edit.state === 'undone' ? journal.activeUndo(edit.id) : undefined;
      if (!undone) throw notUndone(edit);
      return undone;
    }
    if (edit.state !== 'applied') throw notApplied(edit);
    const newer = journal.newestApplied(edit.path, { all: true });
    if (newer && newer.position > edit.position) throw newerOnTop(edit, newer);
    return edit;
  }

  /** @throws CausewayError `conflict` when the file is not as it was left. */
  async function check(
    move: Move,
    from: EditRow,
    files: FileOperator,
  ): Promise<{ current: Entry | null; seen: FileStat | null }> {
    const seen = await files.stat(from.path, { follow: false });
    const current = await readEntry(files, from.path, seen);
    const state = await stateOf(current);
    if (isAfter(from, state) || isFolderAlready(from, state)) return { current, seen };
    throw move.kind === 'undo'
      ? changedSince(from, `edit ${from.id}`)
      : redoConflict(journal, mustFind(move.edit.id), from);
  }

  async function stepFor(move: Move, actor: Actor): Promise<Step> {
    const from = reversed(move);
    const { current, seen } = await check(move, from, actor.files ?? parts.files);
    return {
      ...{ path: from.path, actor, kind: move.kind, of: move.edit.id },
      ...{ before: current, seen, after: await stateBefore(from, current), expectedHash: from.beforeHash },
    };
  }

  async function stateBefore(from: EditRow, current: Entry | null): Promise<Step['after']> {
    if (from.beforeHash === null) return null;
    const removed = await loadSide(blobs, { bytes: from.removed, blob: from.removedBlob, size: from.removedSize });
    const bytes = current === null ? removed : { offset: from.offset, length: from.insertedSize, bytes: removed };
    // Permissions are put back where the edit changed them, and where there is nothing that has some.
    const changed = from.modeAfter !== null || current === null || from.typeBefore !== from.typeAfter;
    return { type: from.typeBefore, bytes, ...(changed && from.mode !== null && { mode: from.mode }) };
  }

  async function runRound(moves: readonly Move[], actor: Actor): Promise<Map<Move, Outcome>> {
    const outcomes = new Map<Move, Outcome>();
    for (const some of bundles(moves)) {
      const steps = new Map<Step, Move>();
      await inParallel(some, async (move) => {
        try {
          steps.set(await stepFor(move, actor), move);
        } catch (error) {
          if (!(error instanceof CausewayError)) throw error;
          outcomes.set(move, { error });
        }
      });
      const made = await perform([...steps.keys()]);
      [...steps.values()].forEach((move, index) => {
        const outcome = made[index];
        if (outcome) outcomes.set(move, outcome);
      });
    }
    return outcomes;
  }

  return {
    movesOf: (target, kind) => planOf(journal, target, kind),
    moveOf,
    async preview(moves) {
      const files: PlannedFile[] = [];
      for (const own of byPath(moves).values()) {
        const [first, last] = [own[0], own.at(-1)];
        if (first && last) files.push({ ...planned(first, last), ...(await conflictOf(first)) });
      }
      return files.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async run(moves, actor) {
      const report: RevertReport = { edits: [], left: [] };
      // That somebody put something into a folder which nobody asked for is no news.
      const isNews = ({ edit }: Move): boolean => !isOnTheWay(edit) || moves.every((move) => isOnTheWay(move.edit));
      const stuck = new Set<string>();
      for (const round of roundsOf(moves)) {
        const free = round.filter(({ edit }) => !stuck.has(edit.path));
        for (const [move, outcome] of await runRound(free, actor)) {
          if ('edit' in outcome) report.edits.push(outcome.edit);
          else {
            const { id: editId, path } = move.edit;
            const left = { editId, path, entry: entryOf(move.edit), why: sentence(outcome.error) };
            if (isNews(move)) report.left.push(left);
            stuck.add(path);
          }
        }
      }
      return report;
    },
    async runOne(move, actor) {
      const step = await stepFor(move, actor);
      const folders = await missingFolders(move, actor);
      const outcome = (await perform([...folders, step])).at(-1);
      if (!outcome) throw new CausewayError('internal', `Edit ${move.edit.id} was lost on the way.`);
      if ('error' in outcome) throw outcome.error;
      await removeFolders(move, actor);
      return outcome.edit;
    },
    removeFolders,
  };

  /** How to bring back those folders that were made for the file of this move and went with it. */
  async function missingFolders(move: Move, actor: Actor): Promise<Step[]> {
    const steps: Step[] = [];
    for (const folder of folderMoves(journal, move).first) {
      try {
        const step = await stepFor(folder, actor);
        if (step.before === null) steps.push(step);
      } catch (error) {
        // Something else is in its place: what that means shows when the file is made.
        if (!(error instanceof CausewayError)) throw error;
      }
    }
    return steps;
  }

  async function removeFolders(move: Move, actor: Actor): Promise<void> {
    const { last } = folderMoves(journal, move);
    if (last.length > 0) await runRound(last, actor);
  }

  async function conflictOf(move: Move): Promise<{ conflict?: string }> {
    try {
      await check(move, reversed(move), parts.files);
      return {};
    } catch (error) {
      if (error instanceof CausewayError) return { conflict: sentence(error) };
      throw error;
    }
  }

  function planned(first: Move, last: Move): PlannedFile {
    const [from] = typesOf(first);
    const [, to] = typesOf(last);
    const will = to === null ? 'delete' : from === null ? 'create' : 'modify';
    return { path: first.edit.path, entry: entryOf(first.edit), will, editId: first.edit.id };
  }
}

function entryOf(edit: EditSummary): EditView['entry'] {
  return toView(edit).entry;
}

function byPath(moves: readonly Move[]): Map<string, Move[]> {
  return Map.groupBy(moves, ({ edit }) => edit.path);
}

/**
 * What one call did goes together, and each path once at a time; calls go one after the other, because a folder that a later one
 * made stands where an earlier one had another.
 */
function* roundsOf(moves: readonly Move[]): Generator<Move[]> {
  let round: Move[] = [];
  let paths = new Set<string>();
  for (const move of moves) {
    const last = round.at(-1);
    const sameCall = last && last.kind === move.kind && last.edit.callId === move.edit.callId;
    if (last && (!sameCall || paths.has(move.edit.path))) {
      yield round;
      [round, paths] = [[], new Set()];
    }
    round.push(move);
    paths.add(move.edit.path);
  }
  if (round.length > 0) yield round;
}

/** Few enough to be in memory together, in an order in which folders are there before what is in them, and empty before they go. */
function* bundles(moves: readonly Move[]): Generator<readonly Move[]> {
  const ranked = RANKS.flatMap((rank) =>
    moves
      .filter((move) => rankOf(...typesOf(move)) === rank)
      .sort((a, b) => compareByDepth(rank, a.edit.path, b.edit.path)),
  );
  for (let at = 0; at < ranked.length; at += STEPS_AT_ONCE) yield ranked.slice(at, at + STEPS_AT_ONCE);
}

/** A folder comes with what is put back in it, and may be there or gone before its own turn: it is as it is to be. */
function isFolderAlready(from: EditSummary, { type, hash }: EntryState): boolean {
  if (from.beforeHash === null) return from.typeAfter === 'folder' && hash === null;
  return from.typeBefore === 'folder' && type === 'folder' && hash !== null;
}

/** What is there before a move and after it. */
function typesOf({ edit, kind }: Move): [EntryType | null, EntryType | null] {
  const before = edit.beforeHash === null ? null : edit.typeBefore;
  const after = edit.afterHash === null ? null : edit.typeAfter;
  return kind === 'undo' ? [after, before] : [before, after];
}

function sentence({ message, hint }: CausewayError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
