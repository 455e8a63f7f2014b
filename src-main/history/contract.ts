import type {
  Blame,
  Caller,
  ConflictChoice,
  EditConflict,
  EditDetail,
  EditTarget,
  EditView,
  EntryType,
  HistoryFacets,
  HistoryQuery,
  PlannedFile,
  RevertKind,
  RevertReport,
} from '../../src-shared/index.ts';
import type { FileOperator } from '../operator/index.ts';

/** Who changes a file, and in which call. */
export interface Actor {
  sessionId: string;
  callId?: string;
  /** Name of the tool. */
  tool?: string;
  caller: Caller;
  /** The only files this one may write: edits, undo and redo of theirs go through them. By default the history's own. */
  files?: FileOperator;
}

/** What is at a path: a file, a symlink (its bytes are where it leads), a folder (without bytes). */
export interface Entry {
  type: EntryType;
  bytes: Uint8Array;
  /** Permission bits; a symlink has none of its own. */
  mode: number | null;
}

/**
 * New bytes for one place of a file, all else staying as it is: of a large file no second copy is made. Offset and length are
 * in bytes, on whole code units of the file's encoding.
 */
export interface Patch {
  offset: number;
  length: number;
  bytes: Uint8Array;
  /** The number of the line that holds `offset`, where the caller knows it: counting takes time in a large file. */
  line?: number;
}

/** One change to one file. `null` means: the file is (or shall be) not there. */
export interface Change {
  /** Absolute path, symlinks resolved. */
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | Patch | null;
  actor: Actor;
}

/** A change that a command has made already. */
export interface Observed {
  path: string;
  before: Entry | null;
  after: Entry | null;
  actor: Actor;
  /** The newest edit when `before` was looked at: what edits after it made of the path is theirs. */
  since: number;
}

/** Which edits somebody may take back: all of them, or an external app's own. */
export type Scope = { all: true } | { appId: string };

/** All that is given must hold. */
export type HistoryFilter = Partial<HistoryQuery>;

/** How much history is kept. */
export interface KeepLimits {
  days: number;
  /** Of all that is kept of files. */
  bytes: number;
}

export interface PruneReport {
  edits: number;
  bytes: number;
}

/** What was found half done at the start. */
export interface RecoveryReport {
  /** The file holds the new bytes: the edit counts as applied. */
  finished: number;
  /** The file still holds the old bytes: the edit is dropped. */
  dropped: number;
  /** The file holds neither: said to the person, touched by nobody. */
  conflicts: EditView[];
}

/**
 * The journal of every edit. The record is durable before the file changes; undo and redo are themselves edits, so nothing is
 * ever lost.
 */
export interface History extends AsyncDisposable {
  /**
   * Records the change, makes it, and marks it as made. Folders that are missing above a new file are edits of the same call.
   * @throws CausewayError `conflict` when the file is no longer `before`; `io` when it can't be written.
   */
  apply(change: Change): Promise<EditView>;
  /**
   * Records changes that were made without the history, as applied edits, all or none of them; what is an edit already is left out.
   * @throws CausewayError `conflict` while one of the paths is being edited: look at them again.
   */
  observe(changes: readonly Observed[]): Promise<EditView[]>;
  /** The number of the newest edit; 0 without any. */
  newestEdit(): number;
  /** True when this is what the edit left. @throws CausewayError `not_found`. */
  isLeftBy(editId: number, entry: Entry | null): Promise<boolean>;
  /**
   * Takes an edit back: the file gets the bytes it had before. Folders that were made for a file go with it, if nothing else is in them.
   * @throws CausewayError `conflict` when the file is not what the edit left behind; `not_found`.
   */
  undo(editId: number, actor: Actor): Promise<EditView>;
  /** Does an undone edit again, on exactly the edits that it stood on before. Same errors as undo. */
  redo(editId: number, actor: Actor): Promise<EditView>;
  /** What {@link revert} would do, file by file, without doing it. */
  preview(target: EditTarget, kind: RevertKind): Promise<PlannedFile[]>;
  /**
   * Takes back all edits of a target, the newest first, or does them again; what a session did since an edit is taken back
   * together with what it had taken back itself. A file that is not as its newest edit left it stays as it is, and is told of.
   */
  revert(target: EditTarget, kind: RevertKind, actor: Actor): Promise<RevertReport>;
  /** For an edit that can't be taken back because the file has changed since: what there is to choose from. */
  conflict(editId: number): Promise<EditConflict>;
  /** Takes such an edit back nevertheless, with the chosen outcome. What was there is kept: it is an edit. */
  settleConflict(editId: number, choice: ConflictChoice, actor: Actor): Promise<EditView>;
  /** @throws CausewayError `not_found` when there is no text file. */
  blame(path: string): Promise<Blame>;
  /** Forgets what is older or more than the limits allow, never the newest edit of a file. Happens by itself now and then. */
  prune(signal: AbortSignal): Promise<PruneReport>;
  /** The newest edit of a file that can be taken back; never that of a folder that was made for a file. */
  newestUndoable(path: string, scope: Scope): EditView | undefined;
  /** Newest first. */
  list(filter?: HistoryFilter): EditView[];
  /** How many edits a filter finds, whatever its limit. */
  count(filter?: HistoryFilter): number;
  /** What there is to filter by. */
  facets(): HistoryFacets;
  /** @throws CausewayError `not_found`. */
  show(editId: number): EditDetail;
  /** Settles what was half done when the program died. Call once, before any other edit. */
  recover(): Promise<RecoveryReport>;
}
