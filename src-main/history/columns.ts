/** The columns of {@link EditSummary}. */
export const SUMMARY = `id, position, session_id AS sessionId, call_id AS callId, caller, path, kind, state, of, at, owner, added,
  removed_lines AS removedLines, before_hash AS beforeHash, after_hash AS afterHash, tool, type_before AS typeBefore,
  type_after AS typeAfter, mode, mode_after AS modeAfter`;
/** The others of {@link EditRow}. */
export const CONTENT = `before_size AS beforeSize, after_size AS afterSize, encoding, offset, removed,
  removed_blob AS removedBlob, removed_size AS removedSize, inserted, inserted_blob AS insertedBlob,
  inserted_size AS insertedSize, lead, trail, line`;
/** Edits that were asked for; undo and redo only move these. */
export const ORIGINAL = `kind IN ('create', 'modify', 'delete')`;
