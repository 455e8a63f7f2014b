import type { EditView } from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';
import type { ByteStore } from '../store/index.ts';
import { recordContent } from './content.ts';
import type { Actor, Entry } from './contract.ts';
import { entryTypes, newEdit, toView, type NewEdit } from './edit-row.ts';
import { movesOnPaper, type Staying } from './folders.ts';
import type { Journal } from './journal.ts';
import type { Step } from './perform.ts';
import type { Move } from './plan.ts';
import { changedMeanwhile, damaged } from './refusals.ts';
import type { Reverse } from './reverse.ts';
import type { Versions } from './versions.ts';
import { openMode } from './write-entry.ts';

/** Moves of one path in a row that are made in the records only (see `movesOnPaper`), and what is there all the time. */
export interface PaperMoves {
  readonly moves: readonly [Move, ...Move[]];
  readonly stays: Staying;
}

/** What is to be recorded of one of them. */
interface PaperStep {
  row: NewEdit;
  pieces: readonly Uint8Array[] | null;
  after: Step['after'];
  check(): void;
}

/**
 * Records such moves, all of them or none, so that whatever ends the program the records say what is there. Gives the edits, and the
 * permission bits of the folder that stays, if one does. @throws CausewayError
 */
export type OnPaper = (paper: PaperMoves, actor: Actor) => Promise<{ edits: EditView[]; mode: number | undefined }>;

export function createOnPaper(parts: {
  journal: Journal;
  files: FileOperator;
  blobs: ByteStore;
  versions: Versions;
  reverse: Reverse;
  owner: string;
  onEdit: (edit: EditView) => void;
}): OnPaper {
  const { journal, blobs, versions, reverse, owner, onEdit } = parts;

  async function stepsOf({ moves }: PaperMoves, actor: Actor): Promise<PaperStep[]> {
    const steps: PaperStep[] = [];
    reverse.checkTurn(moves[0]);
    let { current } = await reverse.look(moves[0], reverse.rowOf(moves[0]), actor);
    for (const move of moves) {
      const from = reverse.rowOf(move);
      const { after, expectedHash } = await reverse.after(move, from, current);
      const { content, pieces } = await recordContent(blobs, current && current.bytes, after && after.bytes);
      if (expectedHash !== undefined && expectedHash !== content.afterHash) throw damaged(from.path, move.edit.id);
      const entry = {
        ...entryTypes(current, after),
        mode: current?.mode ?? null,
        modeAfter: after?.mode ?? null,
      };
      const row = newEdit({ path: from.path, actor, entry }, content, { kind: move.kind, of: move.edit.id, owner });
      steps.push({ row, pieces, after, check: () => reverse.checkTurn(move) });
      current = wholeAfter(current, after);
    }
    return steps;
  }

  return async (paper, actor) => {
    const { path } = paper.moves[0].edit;
    const files = actor.files ?? parts.files;
    const steps = await stepsOf(paper, actor);
    const now = await files.stat(path, { follow: false });
    const stays = paper.stays === 'folder' ? now?.kind === 'directory' : now === null;
    if (!stays) throw changedMeanwhile(path);
    const made = journal.addTogether(steps);
    const last = steps.at(-1)?.after;
    const mode = last?.type === 'folder' ? last.mode : undefined;
    if (mode !== undefined) await files.setMode(path, openMode(mode));
    const edits = made.map((edit, index) => {
      const { after, pieces } = steps[index] ?? {};
      versions.note(edit, !pieces || after?.type === 'folder' ? null : pieces);
      return toView(edit);
    });
    edits.forEach(onEdit);
    return { edits, mode };
  };
}

/** What these moves make on paper, by its first move; the others have no turn of their own. */
export function paperOf(moves: readonly Move[]): { first: Map<Move, PaperMoves>; rest: Set<Move> } {
  const first = new Map<Move, PaperMoves>();
  const rest = new Set<Move>();
  for (const { moves: own, stays } of movesOnPaper(moves)) {
    const [head, ...others] = own;
    if (!head) continue;
    first.set(head, { moves: [head, ...others], stays });
    for (const move of others) rest.add(move);
  }
  return { first, rest };
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
