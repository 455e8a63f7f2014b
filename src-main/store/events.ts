import type Database from 'better-sqlite3';
import { eventBody, type EventBody, type SessionEvent } from '../../src-shared/index.ts';
import { createEmitter } from '../platform/index.ts';
import type { EventLog } from './contract.ts';

interface Row {
  seq: number;
  sessionId: string;
  at: number;
  body: string;
}

/** The append-only log. */
export function createEventLog(db: Database.Database): EventLog {
  const appended = createEmitter<SessionEvent>();
  const insert = db.prepare('INSERT INTO events(session_id, at, type, body) VALUES (?, ?, ?, ?)');
  const select = db.prepare<[string, number], Row>(
    'SELECT seq, session_id AS sessionId, at, body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq',
  );
  return {
    append(sessionId, body) {
      const at = Date.now();
      const { lastInsertRowid } = insert.run(sessionId, at, body.type, JSON.stringify(body));
      const event: SessionEvent = { seq: Number(lastInsertRowid), sessionId, at, ...body };
      appended.emit(event);
      return event;
    },
    read(sessionId, afterSeq = 0) {
      return select.all(sessionId, afterSeq).flatMap(({ seq, at, body }) => {
        const parsed = parseBody(body);
        return parsed ? [{ seq, sessionId, at, ...parsed }] : [];
      });
    },
    on: (listener) => appended.on(listener),
  };
}

/** Undefined for an event of a kind that this version does not know (written by a newer one): it is passed over, not lost. */
function parseBody(json: string): EventBody | undefined {
  const parsed = eventBody.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data : undefined;
}
