import type { SessionSummary } from '../../src-shared/index.ts';

/** Sessions under one heading of the list. `workspace` is a path. */
export type SessionGroup =
  | { readonly kind: 'waiting' | 'running' | 'demos'; readonly sessions: readonly SessionSummary[] }
  | { readonly kind: 'workspace'; readonly workspace: string; readonly sessions: readonly SessionSummary[] };

/**
 * What waits first, then what runs, then the rest by workspace, the most recent workspace first. Sessions that work inside
 * Causeway's own data folder (`home`) are demos. Empty groups are left out.
 */
export function groupSessions(sessions: readonly SessionSummary[], home?: string): SessionGroup[] {
  const waiting = sessions.filter(({ state }) => state === 'waiting');
  const running = sessions.filter(({ state }) => state === 'running');
  const groups: SessionGroup[] = [];
  if (waiting.length > 0) groups.push({ kind: 'waiting', sessions: waiting });
  if (running.length > 0) groups.push({ kind: 'running', sessions: running });
  const rest = sessions.filter(({ state }) => state === 'idle' || state === 'interrupted');
  const isDemo = ({ workspace }: SessionSummary): boolean => home !== undefined && workspace.startsWith(`${home}/`);
  const demos = rest.filter(isDemo);
  const workspaces = new Map<string, SessionSummary[]>();
  for (const session of rest) {
    if (isDemo(session)) continue;
    const known = workspaces.get(session.workspace);
    if (known) known.push(session);
    else workspaces.set(session.workspace, [session]);
  }
  for (const [workspace, list] of workspaces) groups.push({ kind: 'workspace', workspace, sessions: list });
  if (demos.length > 0) groups.push({ kind: 'demos', sessions: demos });
  return groups;
}

/** The list with one session new or changed, newest first. */
export function withSession(list: readonly SessionSummary[], session: SessionSummary): SessionSummary[] {
  return [session, ...list.filter(({ id }) => id !== session.id)].sort((a, b) => b.updatedAt - a.updatedAt);
}
