import { CausewayError, type EditTarget, type RevertKind } from '../../../../../src-shared/index.ts';
import type { App } from '../../../../app.ts';
import { BadUsage } from '../../command.ts';
import { findSession } from '../../find-session.ts';

/** The ways to say which edits are meant. */
export interface TargetOptions {
  path?: string;
  call?: string;
  run?: string;
  session?: string;
  since?: number;
}

/** @throws BadUsage when edits are named in two ways at once. */
export function checkTarget(id: number | undefined, { path, call, run, session, since }: TargetOptions): void {
  const named = Object.entries({ 'an edit': id, '--path': path, '--call': call, '--run': run, '--session': session })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (named.length > 1) throw new BadUsage(`Name what is meant in one way, not by ${named.join(' and ')} at once.`);
  if (since !== undefined && session === undefined) throw new BadUsage('--since belongs to --session.');
}

/** Many edits, and the session in which it stands that they were taken back. */
export interface Target {
  target: EditTarget;
  sessionId: string;
}

/**
 * The edits of a call, a run or a session; undefined when none of these was named.
 * @throws CausewayError `not_found` when there are none.
 */
export function findTarget(app: App, { call, run, session, since = 0 }: TargetOptions): Target | undefined {
  if (session !== undefined) {
    const sessionId = findSession(app, session).id;
    return { target: { sessionId, since }, sessionId };
  }
  if (call !== undefined)
    return { target: { callId: call }, sessionId: sessionOf(app, { callId: call }, `call ${call}`) };
  if (run !== undefined) return { target: { runId: run }, sessionId: sessionOf(app, { runId: run }, `run ${run}`) };
  return undefined;
}

function sessionOf({ history }: App, filter: { callId: string } | { runId: string }, what: string): string {
  const [edit] = history.list({ ...filter, limit: 1 });
  if (edit) return edit.sessionId;
  throw new CausewayError('not_found', `The ${what} has no edits in the history.`, {
    hint: '"causeway history show EDIT" tells the ids of its call and its run.',
  });
}

/** What taking an edit back is about: of an undo or a redo the edit that was asked for first, the other way round. */
export function originalOf(
  { history }: Pick<App, 'history'>,
  id: number,
  kind: RevertKind,
): { id: number; kind: RevertKind } {
  const edit = history.show(id);
  if (edit.of === undefined) return { id, kind };
  const other = kind === 'undo' ? 'redo' : 'undo';
  return originalOf({ history }, edit.of, edit.kind === 'undo' ? other : kind);
}
