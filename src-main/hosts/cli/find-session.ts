import { CausewayError, type SessionSummary } from '../../../src-shared/index.ts';
import type { App } from '../../app.ts';

/**
 * The session with this id, or the only one whose id begins so.
 * @throws CausewayError `not_found`, or `conflict` when several begin so.
 */
export function findSession(app: App, id: string): SessionSummary {
  const [first, second] = app.store.sessions.list().filter((session) => session.id.startsWith(id));
  if (first && (!second || first.id === id)) return first;
  if (!first) return app.store.sessions.get(id);
  throw new CausewayError('conflict', `Several sessions begin with "${id}".`, { hint: 'Give more of its id.' });
}
