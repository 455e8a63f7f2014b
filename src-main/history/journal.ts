import type Database from 'better-sqlite3';
import { CausewayError } from '../../src-shared/index.ts';
import type { HistoryFilter, Scope } from './contract.ts';
import type { EditRow, EditSummary, NewEdit } from './edit-row.ts';
import { guarded, withFullSync } from './database-access.ts';

/** The rows of the journal. Synchronous, as the database is; every change is one transaction. */
export interface Journal {
  /**
   * Adds an edit as pending, durable even through a power cut. Only one edit of a path can be pending.
   * @throws CausewayError `conflict` when another one is.
   */
  begin(edit: NewEdit): EditSummary;
  /**
   * Adds edits as made already, in one step. One whose path has a pending edit, or whose result an edit since `since` explains, is
   * left out.
   */
  add(edits: readonly (NewEdit & { since: number })[]): EditSummary[];
  /** Marks a pending edit as made, with what that means for the edit it takes back or does again. Undefined: it was not pending. */
  finish(id: number): EditSummary | undefined;
  /** Marks a pending edit as never made, or as half made. False: it was not pending. */
  close(id: number, state: 'dropped' | 'conflict'): boolean;
  /** Takes a pending edit over from its dead owner; false when somebody else did. */
  claim(edit: EditSummary, owner: string): boolean;
  pending(path?: string): EditSummary[];
  find(id: number): EditRow | undefined;
  /** The undo that holds an edit taken back. */
  activeUndo(of: number): EditRow | undefined;
  newestApplied(path: string, scope: Scope): EditSummary | undefined;
  /** The undone edit that left behind the state with this hash, if any. */
  undoneWithResult(path: string, afterHash: string | null): EditSummary | undefined;
  list(filter: HistoryFilter): EditSummary[];
}

const SUMMARY = `id, position, session_id AS sessionId, call_id AS callId, caller, path, kind, state, of, at, owner, added,
  removed_lines AS removedLines, before_hash AS beforeHash, after_hash AS afterHash`;
const CONTENT = `before_size AS beforeSize, after_size AS afterSize, mode, encoding, offset, removed,
  removed_blob AS removedBlob, removed_size AS removedSize, inserted, inserted_blob AS insertedBlob,
  inserted_size AS insertedSize, lead, trail, line`;
/** Edits that were asked for; undo and redo only move these. */
const ORIGINAL = `kind IN ('create', 'modify', 'delete')`;
const DEFAULT_LIMIT = 200;

export function createJournal(db: Database.Database): Journal {
  const insert = db.prepare<NewEdit>(`
    INSERT INTO edits (session_id, call_id, caller, app_id, path, kind, state, of, at, owner, added, removed_lines,
      before_hash, after_hash, before_size, after_size, mode, encoding, offset, removed, removed_blob, removed_size,
      inserted, inserted_blob, inserted_size, lead, trail, line)
    VALUES (@sessionId, @callId, @caller, @appId, @path, @kind, 'pending', @of, @at, @owner, @added, @removedLines,
      @beforeHash, @afterHash, @beforeSize, @afterSize, @mode, @encoding, @offset, @removed, @removedBlob, @removedSize,
      @inserted, @insertedBlob, @insertedSize, @lead, @trail, @line)`);
  const placeOnTop = db.prepare<[number]>('UPDATE edits SET position = id WHERE id = ?');
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
  const undoneResult = db.prepare<[string, string | null], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = ? AND ${ORIGINAL} AND state = 'undone' AND after_hash IS ?
       ORDER BY position DESC LIMIT 1`,
  );
  const filtered = db.prepare<
    { sessionId: string | null; path: string | null; callId: string | null; limit: number },
    EditSummary
  >(
    `SELECT ${SUMMARY} FROM edits WHERE state <> 'dropped' AND (@sessionId IS NULL OR session_id = @sessionId)
       AND (@path IS NULL OR path = @path) AND (@callId IS NULL OR call_id = @callId) ORDER BY id DESC LIMIT @limit`,
  );

  const begin = db.transaction((edit: NewEdit): number => {
    if (pendingOn.get(edit.path)) {
      throw new CausewayError('conflict', `${edit.path} is just being changed by another edit.`, {
        hint: 'Look at the file and try again.',
      });
    }
    const id = Number(insert.run(edit).lastInsertRowid);
    placeOnTop.run(id);
    return id;
  });
  const newestOfAll = db.prepare<[string], EditSummary>(
    `SELECT ${SUMMARY} FROM edits WHERE path = ? AND state = 'applied' ORDER BY id DESC LIMIT 1`,
  );
  const add = db.transaction((edits: readonly (NewEdit & { since: number })[]): number[] =>
    edits.flatMap(({ since, ...edit }) => {
      const last = newestOfAll.get(edit.path);
      const explained = last !== undefined && last.at >= since && last.afterHash === edit.afterHash;
      if (explained || pendingOn.get(edit.path)) return [];
      const id = Number(insert.run(edit).lastInsertRowid);
      placeOnTop.run(id);
      settle.run('applied', id);
      return [id];
    }),
  );
  const finish = db.transaction((id: number): EditSummary | undefined => {
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
  });

  return {
    begin: (edit) =>
      guarded(() => {
        const row = summaryById.get(withFullSync(db, () => begin.immediate(edit)));
        if (!row) throw new CausewayError('internal', 'The edit that was just recorded is not in the history.');
        return row;
      }),
    add: (edits) =>
      guarded(() => withFullSync(db, () => add.immediate(edits)).flatMap((id) => summaryById.get(id) ?? [])),
    finish: (id) => guarded(() => finish.immediate(id)),
    close: (id, state) => guarded(() => settle.run(state, id).changes > 0),
    claim: (edit, owner) => guarded(() => takeOver.run(owner, edit.id, edit.owner).changes > 0),
    pending: (path) => guarded(() => (path === undefined ? allPending.all() : pendingOn.all(path))),
    find: (id) => guarded(() => rowById.get(id)),
    activeUndo: (of) => guarded(() => undoOf.get(of)),
    newestApplied: (path, scope) => guarded(() => newest.get({ path, appId: 'appId' in scope ? scope.appId : null })),
    undoneWithResult: (path, afterHash) => guarded(() => undoneResult.get(path, afterHash)),
    list: ({ sessionId = null, path = null, callId = null, limit = DEFAULT_LIMIT }) =>
      guarded(() => filtered.all({ sessionId, path, callId, limit })),
  };
}
