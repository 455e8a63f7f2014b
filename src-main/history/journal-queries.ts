import type Database from 'better-sqlite3';
import { caller as callerSchema, type Caller, type EditTarget, type HistoryFacets } from '../../src-shared/index.ts';
import { ORIGINAL, SUMMARY } from './columns.ts';
import type { HistoryFilter } from './contract.ts';
import { guarded } from './database-access.ts';
import type { EditSummary } from './edit-row.ts';
import type { Journal } from './journal.ts';

const DEFAULT_LIMIT = 200;

/** What each part of a filter asks of a row. */
const CONDITIONS = {
  sessionId: 'session_id = @sessionId',
  path: 'path = @path',
  pathPart: `path LIKE @pathPart ESCAPE '!'`,
  // Names of folders are told apart by their case, which LIKE does not.
  within: 'substr(path, 1, length(@within)) = @within',
  callId: 'call_id = @callId',
  runId: 'run_id = @runId',
  tool: 'tool = @tool',
  caller: `(app_id = @caller OR (app_id IS NULL AND json_extract(caller, '$.kind') = @caller))`,
  from: 'at >= @from',
  to: 'at <= @to',
  beforeId: 'id < @beforeId',
} satisfies Record<keyof Omit<HistoryFilter, 'limit'>, string>;

/** The questions to the journal that take more than one row. */
export function createQueries(
  db: Database.Database,
): Pick<Journal, 'list' | 'count' | 'facets' | 'turnedSince' | 'ofPath' | 'originals' | 'ofSession' | 'foldersFor'> {
  const tools = db.prepare<[], { tool: string }>(
    'SELECT DISTINCT tool FROM edits WHERE tool IS NOT NULL ORDER BY tool',
  );
  const sessions = db.prepare<[], { id: string }>(
    'SELECT session_id AS id, MAX(id) AS newest FROM edits GROUP BY session_id ORDER BY newest DESC',
  );
  const callers = db.prepare<[], { caller: string }>(
    `SELECT MAX(caller) AS caller FROM edits GROUP BY COALESCE(app_id, json_extract(caller, '$.kind')) ORDER BY 1`,
  );
  const byPath = db.prepare<[string], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = ? AND state IN ('applied', 'undone') ORDER BY id DESC`,
  );
  const turned = db.prepare<[string, number], { id: number; turns: number }>(
    `SELECT COALESCE(of, id) AS id, SUM(CASE kind WHEN 'undo' THEN -1 ELSE 1 END) AS turns FROM edits
       WHERE path = ? AND id > ? AND state IN ('applied', 'undone') GROUP BY 1 HAVING turns <> 0 ORDER BY 1 DESC`,
  );
  const originalsWhere = (condition: string) =>
    db.prepare<[string], EditSummary>(
      `SELECT ${SUMMARY} FROM edits WHERE ${condition} AND ${ORIGINAL} AND state IN ('applied', 'undone') ORDER BY position`,
    );
  const byIds = originalsWhere('id IN (SELECT value FROM json_each(?))');
  const byCall = originalsWhere('call_id = ?');
  const byRun = originalsWhere('run_id = ?');
  const bySession = db.prepare<{ sessionId: string }, EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE ${ORIGINAL} AND state IN ('applied', 'undone')
       AND (session_id = @sessionId OR id IN (SELECT of FROM edits WHERE session_id = @sessionId AND of IS NOT NULL))
       ORDER BY position`,
  );
  const turnsOf = db.prepare<[number], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE of = ? AND state IN ('applied', 'undone') ORDER BY id`,
  );

  const folders = db.prepare<{ editId: number; paths: string }, EditSummary>(
    `SELECT ${SUMMARY} FROM edits f WHERE path IN (SELECT value FROM json_each(@paths)) AND state = 'applied'
       AND kind = 'create' AND type_after = 'folder' AND mode_after IS NULL
       AND EXISTS (SELECT 1 FROM edits e WHERE (e.id = @editId OR e.of = @editId)
         AND e.session_id = f.session_id AND e.call_id IS f.call_id)
       ORDER BY LENGTH(path) DESC, position DESC`,
  );

  function originals(target: Exclude<EditTarget, { sessionId: string }>): EditSummary[] {
    if ('edits' in target) return byIds.all(JSON.stringify(target.edits));
    return 'callId' in target ? byCall.all(target.callId) : byRun.all(target.runId);
  }

  return {
    list: (filter) =>
      guarded(() => {
        const { limit = DEFAULT_LIMIT, ...asked } = filter;
        const { where, values } = conditionsOf(asked);
        return db
          .prepare<typeof values, EditSummary>(
            `SELECT ${SUMMARY} FROM edits WHERE ${where} ORDER BY id DESC LIMIT @limit`,
          )
          .all({ ...values, limit });
      }),
    count: ({ limit: _limit, ...asked }) =>
      guarded(() => {
        const { where, values } = conditionsOf(asked);
        const found = db.prepare<typeof values, { n: number }>(`SELECT COUNT(*) AS n FROM edits WHERE ${where}`);
        return found.get(values)?.n ?? 0;
      }),
    facets: () =>
      guarded(() => ({
        tools: tools.all().map(({ tool }) => tool),
        sessions: sessions.all().map(({ id }) => id),
        callers: callers.all().map(({ caller }) => facetOf(callerSchema.parse(JSON.parse(caller)))),
      })),
    turnedSince: (path, since) =>
      guarded(() => turned.all(path, since).map(({ id, turns }) => ({ id, stands: turns > 0 }))),
    ofPath: (path) => guarded(() => byPath.all(path)),
    foldersFor: (editId, paths) =>
      guarded(() => {
        const found = folders.all({ editId, paths: JSON.stringify(paths) });
        return found.filter(({ path }, index) => path !== found[index - 1]?.path);
      }),
    originals: (target) => guarded(() => originals(target)),
    ofSession: (sessionId) =>
      guarded(() => bySession.all({ sessionId }).map((original) => ({ original, turns: turnsOf.all(original.id) }))),
  };
}

function conditionsOf(filter: Omit<HistoryFilter, 'limit'>): {
  where: string;
  values: Record<string, string | number>;
} {
  const where = ["state <> 'dropped'"];
  const values: Record<string, string | number> = {};
  const add = (key: keyof typeof CONDITIONS, value: string | number | undefined): void => {
    if (value === undefined) return;
    where.push(CONDITIONS[key]);
    values[key] = value;
  };
  const { pathPart, within, sessionId, path, callId, runId, tool, caller, from, to, beforeId } = filter;
  add('sessionId', sessionId);
  add('path', path);
  add('pathPart', pathPart === undefined ? undefined : `%${literally(pathPart)}%`);
  add('within', within === undefined ? undefined : `${within.replace(/\/+$/, '')}/`);
  add('callId', callId);
  add('runId', runId);
  add('tool', tool);
  add('caller', caller);
  add('from', from);
  add('to', to);
  add('beforeId', beforeId);
  return { where: where.join(' AND '), values };
}

function facetOf(caller: Caller): HistoryFacets['callers'][number] {
  const { kind } = caller;
  return kind === 'app' ? { id: caller.id, kind, name: caller.name } : { id: kind, kind, name: kind };
}

/** Text in which LIKE sees no signs of its own. */
function literally(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
