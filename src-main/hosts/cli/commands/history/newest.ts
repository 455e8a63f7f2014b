import { setTimeout as delay } from 'node:timers/promises';
import { CausewayError, type EditView } from '../../../../../src-shared/index.ts';
import type { App } from '../../../../app.ts';
import { isInside } from '../../../../platform/index.ts';
import { actorFor } from './actor.ts';
import { pathsMeant } from './paths.ts';

/** Edits looked at together while the newest is searched. */
const PAGE = 500;
/** How often another one is tried when somebody else was faster, and how long to wait for one who is at it, in milliseconds. */
const ATTEMPTS = 100;
const WAIT_MS = 50;

/**
 * The newest edit of a file, or of the workspace, that can be taken back.
 * @throws CausewayError `not_found` when there is none.
 */
export function newest(app: App, file: string | undefined): EditView {
  const edit = file === undefined ? newestInWorkspace(app) : newestOf(app, file);
  if (edit) return edit;
  throw new CausewayError('not_found', `There is no edit of ${file ?? app.workspace} that could be taken back.`, {
    hint: 'See "causeway history list".',
  });
}

/**
 * Takes the newest edit back. Others may do the same at this moment, each in a program of its own: whoever finds its choice taken
 * back meanwhile takes the next.
 * @throws CausewayError as {@link newest} and History.undo do.
 */
export async function undoNewest(
  app: App,
  file: string | undefined,
  signal: AbortSignal,
): Promise<{ took: EditView; made: EditView }> {
  for (let attempt = 1; ; attempt += 1) {
    const took = newest(app, file);
    try {
      return { took, made: await app.history.undo(took.id, actorFor(took)) };
    } catch (error) {
      if (!(error instanceof CausewayError) || error.code !== 'conflict' || attempt === ATTEMPTS) throw error;
      // Pending first, and then the state: what has just ended between the two looks is no conflict.
      const isBusy = app.history.list({ path: took.path, limit: 1 }).some(({ state }) => state === 'pending');
      const isNewest = newestUndoable(app, took.path)?.id === took.id;
      if (!isBusy && isNewest) throw error;
      if (isBusy) await delay(WAIT_MS, undefined, { signal });
    }
  }
}

function newestOf(app: App, file: string): EditView | undefined {
  for (const path of pathsMeant(app, file)) {
    const edit = newestUndoable(app, path);
    if (edit) return edit;
  }
  return undefined;
}

/** Of the file that was edited last in this workspace: nobody expects an undo to reach into another folder. */
function newestInWorkspace(app: App): EditView | undefined {
  let beforeId: number | undefined;
  for (;;) {
    const edits = app.history.list({ limit: PAGE, ...(beforeId !== undefined && { beforeId }) });
    for (const { state, kind, path } of edits) {
      const isOpen = state === 'applied' && kind !== 'undo' && kind !== 'redo' && isInside(path, app.workspace);
      // Somebody may have taken it back since the list was read.
      const edit = isOpen ? newestUndoable(app, path) : undefined;
      if (edit) return edit;
    }
    if (edits.length < PAGE) return undefined;
    beforeId = edits.at(-1)?.id;
  }
}

function newestUndoable({ history }: App, path: string): EditView | undefined {
  return history.newestUndoable(path, { all: true });
}
