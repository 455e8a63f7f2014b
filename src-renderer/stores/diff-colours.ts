import { colourLines } from '../text/colour-lines.ts';
import type { DiffRow } from '../text/diff-rows.ts';
import { loadLanguage } from '../text/highlight.ts';
import type { Run } from '../text/runs.ts';
import { whenIdle } from './idle.ts';

/** Which file of the two a line is shown from. */
export type DiffSide = 'old' | 'new';

/** The colours of a diff, which come bit by bit. */
export interface DiffColours {
  /** A row's colours; undefined as long as it is plain. */
  of(row: DiffRow, side: DiffSide): readonly Run[] | undefined;
  /** Calls `redraw` when colours of the row have come: only what is drawn is drawn anew. Gives the way to end that. */
  follow(row: DiffRow, redraw: () => void): () => void;
  /** Begins to colour rows, hunk by hunk, between other work. Gives the way to stop it. */
  colour(rows: readonly DiffRow[], language: string): () => void;
}

/** How long colouring may hold up the window at a time, in milliseconds; a block more may follow. */
const SLICE = 10;

export function createDiffColours(): DiffColours {
  const known = { old: new WeakMap<DiffRow, readonly Run[]>(), new: new WeakMap<DiffRow, readonly Run[]>() };
  const followers = new Map<DiffRow, Set<() => void>>();

  function* colourAll(rows: readonly DiffRow[], language: string): Generator<undefined, void, undefined> {
    for (const hunk of Map.groupBy(rows, (row) => row.hunk).values()) {
      yield* colourSide(hunk, 'new', language);
      // Unchanged lines have the colours of the new file, unless the old one has lines of its own around them.
      if (hunk.some(({ kind }) => kind === 'del')) yield* colourSide(hunk, 'old', language);
    }
  }

  function* colourSide(
    hunk: readonly DiffRow[],
    side: DiffSide,
    language: string,
  ): Generator<undefined, void, undefined> {
    const own = side === 'old' ? 'del' : 'add';
    const lines = hunk.filter(({ kind }) => kind === 'same' || kind === own);
    const texts = lines.map(({ text }) => text);
    let at = 0;
    for (const coloured of colourLines(texts, language)) {
      for (const runs of coloured) {
        const row = lines[at];
        if (row && runs) {
          known[side].set(row, runs);
          for (const redraw of followers.get(row) ?? []) redraw();
        }
        at += 1;
      }
      yield;
    }
  }

  return {
    of: (row, side) => (side === 'old' ? known.old.get(row) : undefined) ?? known.new.get(row),
    follow(row, redraw) {
      const all = followers.get(row) ?? new Set();
      followers.set(row, all.add(redraw));
      return () => {
        all.delete(redraw);
        if (all.size === 0) followers.delete(row);
      };
    },
    colour(rows, language) {
      let stopped = false;
      let callOff = (): void => {};
      const work = colourAll(rows, language);
      const slice = (): void => {
        const start = performance.now();
        while (performance.now() - start < SLICE) if (work.next().done === true) return;
        callOff = whenIdle(slice);
      };
      void loadLanguage(language).then((loaded) => {
        if (loaded && !stopped) callOff = whenIdle(slice);
      });
      return () => {
        stopped = true;
        callOff();
      };
    },
  };
}
