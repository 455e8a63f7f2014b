import { sep } from 'node:path';
import {
  CausewayError,
  type EditTarget,
  type EditView,
  type PlannedFile,
  type RevertKind,
  type RevertReport,
} from '../../src-shared/index.ts';
import type { FileOperator, FileStat } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import type { Actor, Entry } from './contract.ts';
import { toView, type EditRow, type EditSummary } from './edit-row.ts';
import { readEntry, stateOf } from './entry.ts';
import {
  folderAfter,
  foldersAbove,
  isFolderAlready,
  inFolderOrder,
  isFolderMove,
  movesOnPaper,
  type Staying,
} from './folders.ts';
import { foldersToGo, isOnTheWay, withFolders } from './folders-on-the-way.ts';
import type { Journal } from './journal.ts';
import type { Outcome, Perform, Step } from './perform.ts';
import { byPath, planOf, typesOf, type Move } from './plan.ts';
import { inParallel } from './in-parallel.ts';
import { changedSince, folderGone, newerOnTop, notApplied, notUndone, redoConflict } from './refusals.ts';
import { isAfter } from './settle.ts';
import { loadSide } from './sides.ts';
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

/** What is at a path. */
interface Found {
  current: Entry | null;
  seen?: FileStat | null;
}

/** Moves that are made in the records only (see `movesOnPaper`), and what the records have at their paths meanwhile. */
interface Paper {
  moves: ReadonlyMap<Move, Staying>;
  states: Map<string, Found>;
  /** Folders that may not be written when everything is in them, with their permission bits. */
  toClose: Map<string, number>;
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
      const conflict = redoConflict(journal, edit, undone);
      if (conflict) throw conflict;
      return undone;
    }
    if (edit.state !== 'applied') throw notApplied(edit);
    const newer = journal.newestApplied(edit.path, { all: true });
    if (newer && newer.position > edit.position) throw newerOnTop(edit, newer);
    return edit;
  }

  /** @throws CausewayError `conflict` when the file is not as it was left. */
  async function check(move: Move, from: EditRow, { files = parts.files }: Pick<Actor, 'files'>): Promise<Found> {
    const seen = await files.stat(from.path, { follow: false });
    const current = await readEntry(files, from.path, seen);
    const state = await stateOf(current);
    if (isAfter(from, state) || isFolderAlready(from, state)) return { current, seen };
    throw changedSince(from, move.kind === 'undo' ? `edit ${from.id}` : `the undo of edit ${move.edit.id}`);
  }

  async function stepFor(move: Move, actor: Actor, paper: Paper): Promise<Step> {
    const from = reversed(move);
    const onPaper = paper.moves.get(move);
    const { current, seen } = (onPaper && paper.states.get(from.path)) || (await check(move, from, actor));
    const already = move.kind === 'redo' && isFolderMove(mustFind(move.edit.id));
    const after = already ? folderAfter(move.edit) : await stateBefore(from, current);
    if (onPaper) paper.states.set(from.path, { current: wholeAfter(current, after) });
    if ((after?.type ?? 'nothing') === onPaper) paper.states.delete(from.path);
    return {
      ...{
        path: from.path,
        actor,
        kind: move.kind,
        of: move.edit.id,
        before: current,
        after,
        ...(onPaper && { onPaper }),
      },
      ...(seen !== undefined && { seen }),
      ...(!already && { expectedHash: from.beforeHash }),
    };
  }

  async function stateBefore(from: EditRow, current: Entry | null): Promise<Step['after']> {
    if (from.beforeHash === null) return null;
    const removed = await loadSide(blobs, { bytes: from.removed, blob: from.removedBlob, size: from.removedSize });
    const bytes = current === null ? removed : { offset: from.offset, length: from.insertedSize, bytes: removed };
    // Permissions are put back where the edit changed them, and where there was nothing that had some.
    const changed = from.modeAfter !== null || from.afterHash === null || from.typeBefore !== from.typeAfter;
    return { type: from.typeBefore, bytes, ...(changed && from.mode !== null && { mode: from.mode }) };
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
  async function bringFolders(moves: readonly Move[], actor: Actor, paper: Paper): Promise<Map<Move, Outcome>> {
    const outcomes = new Map<Move, Outcome>();
    const missing = await missingFolders(moves, actor.files ?? parts.files);
    const back = new Set<string>();
    const own = new Map(moves.map((move) => [move.edit.path, move]));
    for (const move of missing.length > 0 ? moves : []) {
      const above = missing.filter(({ path }) => move.edit.path.startsWith(path + sep) && !back.has(path));
      if (above.length === 0 || typesOf(move)[1] === null || paper.moves.has(move)) continue;
      try {
        await check(move, reversed(move), actor);
        // All or none of them: of those that this round moves anyway, folders have their turn before what is in them.
        const needed = above.map((last) => own.get(last.path) ?? folderMove(move, last));
        for (const folder of needed) await check(folder, reversed(folder), actor);
        for (const folder of needed.filter((one) => own.get(one.edit.path) !== one)) {
          const outcome = (await runRound([folder], actor, paper)).get(folder);
          if (outcome && 'error' in outcome) throw outcome.error;
          if (outcome) outcomes.set(folder, outcome);
          back.add(folder.edit.path);
        }
      } catch (error) {
        if (!(error instanceof CausewayError)) throw error;
        outcomes.set(move, { error });
      }
    }
    return outcomes;
  }

  async function runRound(moves: readonly Move[], actor: Actor, paper: Paper): Promise<Map<Move, Outcome>> {
    const outcomes = await bringFolders(moves, actor, paper);
    for (const some of bundles(moves.filter((move) => !outcomes.has(move)))) {
      const steps = new Map<Step, Move>();
      await inParallel(some, async (move) => {
        try {
          steps.set(await stepFor(move, actor, paper), move);
        } catch (error) {
          if (!(error instanceof CausewayError)) throw error;
          outcomes.set(move, { error });
        }
      });
      const made = await perform([...steps.keys()]);
      [...steps].forEach(([step, move], index) => {
        const outcome = made[index];
        if (outcome) outcomes.set(move, outcome);
        if (outcome && 'edit' in outcome) noteClosing(step, paper);
      });
    }
    return outcomes;
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
      const paper: Paper = { ...noPaper(), moves: movesOnPaper(moves) };
      for (const round of roundsOf(inFolderOrder(moves, paper.moves))) {
        const free = round.filter(({ edit }) => !stuck.has(edit.path));
        for (const [move, outcome] of await runRound(free, actor, paper)) {
          if ('edit' in outcome) report.edits.push(outcome.edit);
          else {
            const { id: editId, path } = move.edit;
            const left = { editId, path, entry: entryOf(move.edit), why: sentence(outcome.error) };
            if (isNews(move)) report.left.push(left);
            stuck.add(path);
          }
        }
      }
      await closeFolders(paper, actor);
      return report;
    },
    async runOne(move, actor) {
      const paper = noPaper();
      const outcome = (await runRound([move], actor, paper)).get(move);
      await closeFolders(paper, actor);
      if (!outcome) throw new CausewayError('internal', `Edit ${move.edit.id} was lost on the way.`);
      if ('error' in outcome) throw outcome.error;
      await removeFolders(move, actor);
      return outcome.edit;
    },
    removeFolders,
  };

  async function removeFolders(move: Move, actor: Actor): Promise<void> {
    const folders = foldersToGo(journal, move);
    if (folders.length > 0) await runRound(folders, actor, noPaper());
  }

  /** The inner ones first: a closed folder may not even be looked into. */
  async function closeFolders({ toClose }: Paper, { files = parts.files }: Actor): Promise<void> {
    const folders = [...toClose].sort(([a], [b]) => b.length - a.length);
    // One that went meanwhile needs none.
    for (const [folder, mode] of folders) await files.setMode(folder, mode).catch(() => undefined);
  }

  async function conflictOf(move: Move): Promise<{ conflict?: string }> {
    try {
      await check(move, reversed(move), {});
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

function noPaper(): Paper {
  return { moves: new Map(), states: new Map(), toClose: new Map() };
}

function pathsIn(moves: readonly Move[]): Set<string> {
  return new Set(moves.map(({ edit }) => edit.path));
}

function noteClosing({ path, after }: Step, { toClose }: Paper): void {
  if (after?.type === 'folder' && after.mode !== undefined && openMode(after.mode) !== after.mode) {
    toClose.set(path, after.mode);
  } else toClose.delete(path);
}

/** What is there after a step that nobody makes. */
function wholeAfter(before: Entry | null, after: Step['after']): Entry | null {
  if (after === null) return null;
  const { type, bytes: given, mode = before?.mode ?? null } = after;
  if (given instanceof Uint8Array) return { type, bytes: given, mode };
  const old = before?.bytes ?? new Uint8Array(0);
  return {
    type,
    mode,
    bytes: Buffer.concat([old.subarray(0, given.offset), given.bytes, old.subarray(given.offset + given.length)]),
  };
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
