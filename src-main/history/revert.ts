import { dirname, sep } from 'node:path';
import {
  CausewayError,
  type EditTarget,
  type EditView,
  type PlannedFile,
  type RevertKind,
  type RevertReport,
} from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { Actor } from './contract.ts';
import { toView, type EditRow, type EditSummary } from './edit-row.ts';
import { foldersAbove, inFolderOrder } from './folders.ts';
import { foldersToGo, isOnTheWay, withFolders } from './folders-on-the-way.ts';
import type { Journal } from './journal.ts';
import { paperOf, type OnPaper, type PaperMoves } from './paper.ts';
import type { Outcome, Perform, Step } from './perform.ts';
import { byPath, planOf, typesOf, type Move } from './plan.ts';
import { inParallel } from './in-parallel.ts';
import { folderGone } from './refusals.ts';
import type { Found, Reverse } from './reverse.ts';
import { compareByDepth, openMode, rankOf, RANKS } from './write-entry.ts';

/** Steps made together: their bytes are in memory. */
const STEPS_AT_ONCE = 200;

/** Undo and redo, of one edit or of many. The caller holds the locks of the paths that `pathsOf` names. */
export interface Revert {
  pathsOf(moves: readonly Move[]): string[];
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

/** What one going back has to keep in mind. */
interface Journey {
  paper: ReturnType<typeof paperOf>;
  /** Folders that may not be written when everything is in them, with their permission bits. */
  toClose: Map<string, number>;
}

export function createRevert(parts: {
  journal: Journal;
  files: FileOperator;
  perform: Perform;
  reverse: Reverse;
  onPaper: OnPaper;
}): Revert {
  const { journal, perform, onPaper } = parts;
  const { moveOf, rowOf, checkTurn, look, after } = parts.reverse;

  /** By the records it is its turn, and what is there is what they say. @throws CausewayError */
  async function check(move: Move, actor: Pick<Actor, 'files'>): Promise<Found & { from: EditRow }> {
    const from = rowOf(move);
    checkTurn(move);
    return { from, ...(await look(move, from, actor)) };
  }

  async function stepFor(move: Move, actor: Actor): Promise<Step> {
    const { from, current, seen } = await check(move, actor);
    const { path } = from;
    return {
      ...{ path, actor, kind: move.kind, of: move.edit.id, before: current },
      ...(await after(move, from, current)),
      ...(seen !== undefined && { seen }),
    };
  }

  /** Folders that are gone and known of, above what comes back, with what happened to them last: the outer ones first. */
  async function missingFolders(moves: readonly Move[], files: FileOperator): Promise<EditSummary[]> {
    const missing: EditSummary[] = [];
    for (const folder of foldersAbove(pathsIn(moves.filter((move) => typesOf(move)[1] !== null)))) {
      const last = journal.last(folder);
      if (last?.afterHash === null && !(await files.stat(folder, { follow: false }))) missing.push(last);
    }
    return missing;
  }

  function folderMove({ edit }: Move, last: EditSummary): Move {
    if (last.typeBefore !== 'folder') throw folderGone(edit, last);
    return moveOf(last.id, 'undo');
  }

  /** What comes back needs its folder: that comes back first, which is a move of its own. Without it the file stays away. */
  async function bringFolders(moves: readonly Move[], actor: Actor, journey: Journey): Promise<Map<Move, Outcome[]>> {
    const outcomes = new Map<Move, Outcome[]>();
    const missing = await missingFolders(moves, actor.files ?? parts.files);
    const back = new Set<string>();
    const own = new Map(moves.map((move) => [move.edit.path, move]));
    for (const move of missing.length > 0 ? moves : []) {
      const above = missing.filter(({ path }) => move.edit.path.startsWith(path + sep) && !back.has(path));
      if (above.length === 0 || typesOf(move)[1] === null || journey.paper.first.has(move)) continue;
      try {
        await check(move, actor);
        // All or none of them: of those that this round moves anyway, folders have their turn before what is in them.
        const needed = above.map((last) => own.get(last.path) ?? folderMove(move, last));
        for (const folder of needed) await check(folder, actor);
        for (const folder of needed.filter((one) => own.get(one.edit.path) !== one)) {
          const [outcome] = (await runRound([folder], actor, journey)).get(folder) ?? [];
          if (outcome && 'error' in outcome) throw outcome.error;
          if (outcome) outcomes.set(folder, [outcome]);
          back.add(folder.edit.path);
        }
      } catch (error) {
        if (!(error instanceof CausewayError)) throw error;
        outcomes.set(move, [{ error }]);
      }
    }
    return outcomes;
  }

  async function runRound(moves: readonly Move[], actor: Actor, journey: Journey): Promise<Map<Move, Outcome[]>> {
    const outcomes = await bringFolders(moves, actor, journey);
    for (const move of moves) {
      const paper = journey.paper.first.get(move);
      if (paper && !outcomes.has(move)) outcomes.set(move, await recordOnly(paper, actor, journey));
    }
    await openClosed(moves, actor, journey);
    for (const some of bundles(moves.filter((move) => !outcomes.has(move)))) {
      const steps = new Map<Step, Move>();
      await inParallel(some, async (move) => {
        try {
          steps.set(await stepFor(move, actor), move);
        } catch (error) {
          if (!(error instanceof CausewayError)) throw error;
          outcomes.set(move, [{ error }]);
        }
      });
      const made = await perform([...steps.keys()]);
      [...steps].forEach(([{ path, after }, move], index) => {
        const outcome = made[index];
        if (outcome) outcomes.set(move, [outcome]);
        if (outcome && 'edit' in outcome) noteClosing(journey, path, after?.type === 'folder' ? after.mode : undefined);
      });
    }
    return outcomes;
  }

  async function recordOnly(paper: PaperMoves, actor: Actor, journey: Journey): Promise<Outcome[]> {
    try {
      const { edits, mode } = await onPaper(paper, actor);
      noteClosing(journey, paper.moves[0].edit.path, mode);
      return edits.map((edit) => ({ edit }));
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error;
      return [{ error }];
    }
  }

  return {
    pathsOf(moves) {
      const paths = pathsIn(moves);
      return [...paths, ...foldersAbove(paths).filter((folder) => !paths.has(folder) && journal.last(folder))];
    },
    movesOf(target, kind) {
      const moves = planOf(journal, target, kind);
      // All that a session did has its folders in it.
      return 'sessionId' in target ? moves : withFolders(journal, moves);
    },
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
      const journey: Journey = { ...newJourney(), paper: paperOf(moves) };
      const { first, rest } = journey.paper;
      await noteLeftOpen(moves, actor, journey);
      const ordered = inFolderOrder(moves, { has: (move) => first.has(move) || rest.has(move) });
      for (const round of roundsOf(ordered.filter((move) => !rest.has(move)))) {
        const free = round.filter(({ edit }) => !stuck.has(edit.path));
        for (const [move, outcomes] of await runRound(free, actor, journey)) {
          for (const outcome of outcomes) {
            if ('edit' in outcome) report.edits.push(outcome.edit);
            else {
              const { id: editId, path } = move.edit;
              const { error } = outcome;
              const isConflict = error.code === 'conflict';
              const left = { editId, path, entry: entryOf(move.edit), why: sentence(error), isConflict };
              if (isNews(move)) report.left.push(left);
              stuck.add(path);
            }
          }
        }
        // A later round may look at the folder, and records what it sees.
        await closeFolders(journey, actor);
      }
      return report;
    },
    async runOne(move, actor) {
      const journey = newJourney();
      const [outcome] = (await runRound([move], actor, journey)).get(move) ?? [];
      await closeFolders(journey, actor);
      if (!outcome) throw new CausewayError('internal', `Edit ${move.edit.id} was lost on the way.`);
      if ('error' in outcome) throw outcome.error;
      await removeFolders(move, actor);
      return outcome.edit;
    },
    removeFolders,
  };

  async function removeFolders(move: Move, actor: Actor): Promise<void> {
    const folders = foldersToGo(journal, move);
    if (folders.length > 0) await runRound(folders, actor, newJourney());
  }

  /** Folders that a going back which was killed had opened, to fill them: they are closed with what this one does in them. */
  async function noteLeftOpen(moves: readonly Move[], { files = parts.files }: Actor, journey: Journey): Promise<void> {
    for (const folder of foldersAbove(pathsIn(moves))) {
      const last = journal.last(folder);
      const mode = last?.typeAfter === 'folder' && last.of !== null ? last.modeAfter : null;
      if (mode === null || openMode(mode) === mode) continue;
      const found = await files.stat(folder, { follow: false });
      if (found?.mode === openMode(mode)) noteClosing(journey, folder, mode);
    }
  }

  /**
   * Nothing can come or go in a folder that may not be written, nor be replaced: it is open for the time. One that has a move of its
   * own is opened by that, which records what it saw.
   */
  async function openClosed(moves: readonly Move[], { files = parts.files }: Actor, journey: Journey): Promise<void> {
    const own = pathsIn(moves);
    for (const folder of new Set(moves.map(({ edit }) => dirname(edit.path)))) {
      if (own.has(folder)) continue;
      const found = await files.stat(folder, { follow: false });
      if (found?.kind !== 'directory' || openMode(found.mode) === found.mode || journey.toClose.has(folder)) continue;
      // Where that is not allowed, the change itself says so.
      const isOpen = await files.setMode(folder, openMode(found.mode)).then(
        () => true,
        () => false,
      );
      if (isOpen) noteClosing(journey, folder, found.mode);
    }
  }

  /** The inner ones first: a closed folder may not even be looked into. */
  async function closeFolders({ toClose }: Journey, { files = parts.files }: Actor): Promise<void> {
    const folders = [...toClose].sort(([a], [b]) => b.length - a.length);
    toClose.clear();
    // One that went meanwhile needs none.
    for (const [folder, mode] of folders) await files.setMode(folder, mode).catch(() => undefined);
  }

  async function conflictOf(move: Move): Promise<{ conflict?: string }> {
    try {
      await check(move, {});
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

function newJourney(): Journey {
  return { paper: { first: new Map(), rest: new Set() }, toClose: new Map() };
}

function pathsIn(moves: readonly Move[]): Set<string> {
  return new Set(moves.map(({ edit }) => edit.path));
}

/** @param mode permission bits that a folder at this path is to have. */
function noteClosing({ toClose }: Journey, path: string, mode: number | undefined): void {
  if (mode !== undefined && openMode(mode) !== mode) toClose.set(path, mode);
  else toClose.delete(path);
}

function entryOf(edit: EditSummary): EditView['entry'] {
  return toView(edit).entry;
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

function sentence({ message, hint }: CausewayError): string {
  return hint === undefined ? message : `${message} ${hint}`;
}
