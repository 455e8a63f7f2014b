import {
  CausewayError,
  type PlannedFile,
  type RevertReport,
  type RewindPoint,
  type SessionEvent,
} from '../../src-shared/index.ts';
import type { History } from '../history/index.ts';
import type { EventLog } from '../store/index.ts';

/** Goes back to a point of a session: its files, its conversation, or both. */
export interface Rewind {
  preview(sessionId: string, point: RewindPoint): Promise<PlannedFile[]>;
  /** @throws CausewayError `not_found` for a point that the session does not have, `conflict` while it runs. */
  run(sessionId: string, point: RewindPoint, what: { files: boolean; conversation: boolean }): Promise<RevertReport>;
}

export function createRewind(parts: {
  events: EventLog;
  history: Pick<History, 'preview' | 'revert'>;
  isRunning: (sessionId: string) => boolean;
}): Rewind {
  const { events, history, isRunning } = parts;

  function targetOf(sessionId: string, point: RewindPoint): { to: number; from: number; since: number } {
    const log = events.read(sessionId);
    const to = seqOf(log, point);
    return { to, from: log.at(-1)?.seq ?? 0, since: newestEdit(log, to) };
  }

  return {
    preview(sessionId, point) {
      return history.preview({ sessionId, since: targetOf(sessionId, point).since }, 'undo');
    },
    async run(sessionId, point, { files, conversation }) {
      if (isRunning(sessionId)) {
        throw new CausewayError('conflict', 'The session is running.', { hint: 'Stop it first, then go back.' });
      }
      const { to, from, since } = targetOf(sessionId, point);
      const nothing: RevertReport = { edits: [], left: [] };
      const report = files
        ? await history.revert({ sessionId, since }, 'undo', { sessionId, caller: { kind: 'person' } })
        : nothing;
      const changed = new Set(report.edits.filter(({ entry }) => entry !== 'folder').map(({ path }) => path)).size;
      events.append(sessionId, { type: 'session.rewound', to, from, conversation, files: changed });
      return report;
    },
  };
}

/**
 * What of a log the conversation consists of: after going back, what was said since is no part of it; after going back to before
 * that, it is again.
 */
export function effectiveEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  let effective: SessionEvent[] = [];
  for (const [index, event] of events.entries()) {
    if (event.type === 'session.rewound' && event.conversation) {
      effective = [...effectiveEvents(events.slice(0, index).filter(({ seq }) => seq <= event.to))];
    } else effective.push(event);
  }
  return effective;
}

function seqOf(log: readonly SessionEvent[], point: RewindPoint): number {
  if ('seq' in point) {
    // Numbers run over all sessions: one in between names the state after this session's event before it.
    if (point.seq < (log.at(0)?.seq ?? 0) - 1 || point.seq > (log.at(-1)?.seq ?? 0)) throw noSuchPoint();
    return point.seq;
  }
  const ended = log.findLast((event) => event.type === 'tool.ended' && event.callId === point.callId);
  if (ended) return ended.seq;
  throw noSuchPoint();
}

function newestEdit(log: readonly SessionEvent[], to: number): number {
  let newest = 0;
  for (const event of log) {
    if (event.seq > to) break;
    if (event.type === 'edit.recorded') newest = Math.max(newest, event.editId);
  }
  return newest;
}

function noSuchPoint(): CausewayError {
  return new CausewayError('not_found', 'The session has no such point to go back to.', {
    hint: 'Choose a message or a finished step of this session.',
  });
}
