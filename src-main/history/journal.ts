import type Database from 'better-sqlite3';
import type { EditTarget, HistoryFacets } from '../../src-shared/index.ts';
import { CONTENT, ORIGINAL, SUMMARY } from './columns.ts';
import type { HistoryFilter, Scope } from './contract.ts';
import { createFullSync, guarded } from './database-access.ts';
import type { EditRow, EditSummary, NewEdit } from './edit-row.ts';
import { createQueries } from './journal-queries.ts';
import { beingChanged } from './refusals.ts';

/** An edit that was made before its record. */
export interface LateEdit {
  row: NewEdit;
  /** The last thing that is known to have happened to the path, if anything did. */
  newest: number | undefined;
  /** Edits that were made on top of it, the oldest first. */
  below: readonly number[];
}

/** The rows of the journal. Synchronous, as the database is; every change is one transaction. */
export interface Journal {
  /**
   * Adds edits as pending, durable even through a power cut, all in one step. Only one edit of a path can be pending, and only what
   * stands can be taken back, only what does not be done again: undefined for one that came too late.
   */
  begin(edits: readonly NewEdit[]): (EditSummary | undefined)[];
  /**
   * Adds edits as made already, in one step: all of them or none.
   * @throws CausewayError `conflict` for a path that has a pending edit, or a newer one than is known.
   */
  add(edits: readonly LateEdit[]): EditSummary[];
  /**
   * Adds edits as made already, one after the other in one step: all of them or none. `check` is called before each, and what it
   * throws is thrown on. @throws CausewayError `conflict` for a path that has a pending edit.
   */
  addTogether(edits: readonly { row: NewEdit; check(): void }[]): EditSummary[];
  /** Marks pending edits as made, with what that means for those they take back or do again. Undefined for one that was not pending. */
  finish(ids: readonly number[]): (EditSummary | undefined)[];
  /** Marks a pending edit as never made, or as half made. False: it was not pending. */
  close(id: number, state: 'dropped' | 'conflict'): boolean;
  /** Takes a pending edit over from its dead owner; false when somebody else did. */
  claim(edit: EditSummary, owner: string): boolean;
  pending(path?: string): EditSummary[];
  newestId(): number;
  /** True when somebody other than this owner has recorded an edit after the edit `since`. */
  wroteSince(since: number, owner: string): boolean;
  find(id: number): EditRow | undefined;
  /** What happened to a path after the edit `since`, the oldest first. */
  happened(path: string, since: number): EditSummary[];
  /** The last thing that happened to a path. */
  last(path: string): EditSummary | undefined;
  /** The undo that holds an edit taken back. */
  activeUndo(of: number): EditRow | undefined;
  newestApplied(path: string, scope: Scope): EditSummary | undefined;
  /** The folders among `paths` that were made on the way in a call that made, took back or did again this edit, and stand: nearest first. */
  foldersFor(editId: number, paths: readonly string[]): EditSummary[];
  list(filter: HistoryFilter): EditSummary[];
  count(filter: HistoryFilter): number;
  facets(): HistoryFacets;
  /** Edits of a path that stand now and did not after the edit `since`, or the other way round: the newest first. */
  turnedSince(path: string, since: number): { id: number; stands: boolean }[];
  /** Everything that happened to a path, the newest first. */
  ofPath(path: string): EditSummary[];
  /** The edits that a target names, without undo and redo, the oldest first. */
  originals(target: Exclude<EditTarget, { sessionId: string }>): EditSummary[];
  /** What a session changed, and what it took back or did again of others, with what was done to each: the oldest first. */
  ofSession(sessionId: string): { original: EditSummary; turns: EditSummary[] }[];
}

/** The number that the next row gets (sqlite.org/autoinc.html): an edit that was just made is on top. */
const NEXT_ID = `(SELECT 1 + COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'edits'), 0))`;

export function createJournal(db: Database.Database): Journal {
  const withFullSync = createFullSync(db);
  const insert = db.prepare<NewEdit>(`
    INSERT INTO edits (position, session_id, call_id, caller, app_id, path, kind, state, of, at, owner, added, removed_lines,
      before_hash, after_hash, before_size, after_size, run_id, tool, type_before, type_after, mode, mode_after, encoding, offset,
      removed, removed_blob, removed_size, inserted, inserted_blob, inserted_size, lead, trail, line)
    VALUES (${NEXT_ID}, @sessionId, @callId, @caller, @appId, @path, @kind, 'pending', @of, @at, @owner, @added, @removedLines,
      @beforeHash, @afterHash, @beforeSize, @afterSize, @runId, @tool, @typeBefore, @typeAfter, @mode, @modeAfter,
      @encoding, @offset, @removed, @removedBlob, @removedSize, @inserted, @insertedBlob, @insertedSize, @lead, @trail, @line)`);
  const settle = db.prepare<[string, number]>(`UPDATE edits SET state = ? WHERE id = ? AND state = 'pending'`);
  const takeOver = db.prepare<[string, number, string]>(
    `UPDATE edits SET owner = ? WHERE id = ? AND owner = ? AND state = 'pending'`,
  );
  const setState = db.prepare<[string, number]>('UPDATE edits SET state = ? WHERE id = ?');
  const raise = db.prepare<[number, number]>(`UPDATE edits SET state = 'applied', position = ? WHERE id = ?`);
  const retire = db.prepare<[number, string]>(
    `UPDATE edits SET state = 'undone' WHERE of = ? AND kind = ? AND state = 'applied'`,
  );
  const summaryById = db.prepare<[number], EditSummary>(`SELECT ${SUMMARY} FROM edits WHERE id = ?`);
  const rowById = db.prepare<[number], EditRow>(`SELECT ${SUMMARY}, ${CONTENT} FROM edits WHERE id = ?`);
  const lastOf = db.prepare<[string], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = ? AND state IN ('applied', 'undone') ORDER BY id DESC LIMIT 1`,
  );
  const afterEdit = db.prepare<[string, number], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = ? AND id > ? AND state IN ('applied', 'undone') ORDER BY id`,
  );
  const undoOf = db.prepare<[number], EditRow>(
    `SELECT ${SUMMARY}, ${CONTENT} FROM edits WHERE of = ? AND kind = 'undo' AND state = 'applied' ORDER BY id DESC LIMIT 1`,
  );
  const allPending = db.prepare<[], EditSummary>(`SELECT ${SUMMARY} FROM edits WHERE state = 'pending' ORDER BY id`);
  const pendingOn = db.prepare<[string], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = ? AND state = 'pending' ORDER BY id`,
  );
  const newest = db.prepare<{ path: string; appId: string | null }, EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = @path AND ${ORIGINAL} AND state = 'applied'
       AND (@appId IS NULL OR app_id = @appId) ORDER BY position DESC LIMIT 1`,
  );
  const begin = db.transaction((edits: readonly NewEdit[]): (number | undefined)[] =>
    edits.map((edit) => {
      const about = edit.of === null ? undefined : summaryById.get(edit.of);
      const late = about !== undefined && about.state !== (edit.kind === 'undo' ? 'applied' : 'undone');
      if (late || pendingOn.get(edit.path)) return undefined;
      return Number(insert.run(edit).lastInsertRowid);
    }),
  );
  const place = db.prepare<[number, number]>('UPDATE edits SET position = ? WHERE id = ?');
  const add = db.transaction((edits: readonly LateEdit[]): number[] => {
    /** By path: what these edits themselves have added. */
    const own = new Map<string, number>();
    return edits.map(({ row, newest: last, below }) => {
      const expected = own.get(row.path) ?? last;
      if (pendingOn.get(row.path) || lastOf.get(row.path)?.id !== expected) throw beingChanged(row.path);
      const id = Number(insert.run(row).lastInsertRowid);
      own.set(row.path, id);
      settle.run('applied', id);
      // Each takes the place of the one below it, and this one that of the lowest.
      let position = id;
      for (const above of below.toReversed()) {
        const old = summaryById.get(above)?.position ?? position;
        place.run(position, above);
        position = old;
      }
      place.run(position, id);
      return id;
    });
  });
  function finishOne(id: number): EditSummary | undefined {
    if (settle.run('applied', id).changes === 0) return undefined;
    const edit = summaryById.get(id);
    if (edit?.kind === 'undo' && edit.of !== null) {
      setState.run('undone', edit.of);
      retire.run(edit.of, 'redo');
    }
    if (edit?.kind === 'redo' && edit.of !== null) {
      raise.run(id, edit.of);
      retire.run(edit.of, 'undo');
    }
    return edit;
  }
  const addTogether = db.transaction((edits: readonly { row: NewEdit; check(): void }[]) =>
    edits.map(({ row, check }) => {
      check();
      const made = pendingOn.get(row.path) ? undefined : finishOne(Number(insert.run(row).lastInsertRowid));
      if (!made) throw beingChanged(row.path);
      return made;
    }),
  );
  const finish = db.transaction((ids: readonly number[]) => ids.map(finishOne));
  const newestRow = db.prepare<[], { id: number }>('SELECT id FROM edits ORDER BY id DESC LIMIT 1');
  const byOthers = db.prepare<[number, string], { id: number }>(
    'SELECT id FROM edits WHERE id > ? AND owner <> ? LIMIT 1',
  );
  const queries = createQueries(db);

  return {
    begin: (edits) =>
      guarded(() => {
        const ids = withFullSync(() => begin.immediate(edits));
        return ids.map((id) => (id === undefined ? undefined : summaryById.get(id)));
      }),
    add: (edits) => guarded(() => withFullSync(() => add.immediate(edits)).flatMap((id) => summaryById.get(id) ?? [])),
    addTogether: (edits) => guarded(() => withFullSync(() => addTogether.immediate(edits))),
    finish: (ids) => guarded(() => finish.immediate(ids)),
    close: (id, state) => guarded(() => settle.run(state, id).changes > 0),
    claim: (edit, owner) => guarded(() => takeOver.run(owner, edit.id, edit.owner).changes > 0),
    pending: (path) => guarded(() => (path === undefined ? allPending.all() : pendingOn.all(path))),
    newestId: () => guarded(() => newestRow.get()?.id ?? 0),
    wroteSince: (since, owner) => guarded(() => byOthers.get(since, owner) !== undefined),
    happened: (path, since) => guarded(() => afterEdit.all(path, since)),
    last: (path) => guarded(() => lastOf.get(path)),
    find: (id) => guarded(() => rowById.get(id)),
    activeUndo: (of) => guarded(() => undoOf.get(of)),
    newestApplied: (path, scope) => guarded(() => newest.get({ path, appId: 'appId' in scope ? scope.appId : null })),
    ...queries,
  };
}
