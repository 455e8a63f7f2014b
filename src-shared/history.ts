import { z } from 'zod';
import { editKind } from './events.ts';
import { caller } from './tool.ts';

/** `pending` is being written; `conflict` was half done when the program died and the file is neither old nor new. */
export const editState = z.enum(['pending', 'applied', 'undone', 'dropped', 'conflict']);
export type EditState = z.infer<typeof editState>;

/** What is at a path. */
export const entryType = z.enum(['file', 'symlink', 'folder']);
export type EntryType = z.infer<typeof entryType>;

/** One change to one file, as the history lists it. */
export const editView = z.object({
  id: z.number().int(),
  sessionId: z.string(),
  callId: z.string().optional(),
  caller,
  /** Absolute path. */
  path: z.string(),
  /** What it is, or was when it is gone. */
  entry: entryType.default('file'),
  kind: editKind,
  state: editState,
  at: z.number(),
  /** Name of the tool that made it. */
  tool: z.string().optional(),
  added: z.number().int(),
  removed: z.number().int(),
  of: z.number().int().optional(),
});
export type EditView = z.infer<typeof editView>;

/** Consecutive lines of a diff. Line numbers start at 1. */
export const diffHunk = z.object({
  oldStart: z.number().int(),
  newStart: z.number().int(),
  lines: z.array(z.object({ kind: z.enum(['same', 'add', 'del']), text: z.string() })),
});
export type DiffHunk = z.infer<typeof diffHunk>;

/** An edit with what it changed. `binary` files and very large ones have no hunks. */
export const editDetail = editView.extend({
  binary: z.boolean(),
  sizeBefore: z.number().int().nullable(),
  sizeAfter: z.number().int().nullable(),
  /** Permission bits, where they were changed. */
  mode: z.object({ before: z.number().int(), after: z.number().int() }).optional(),
  hunks: z.array(diffHunk),
  /** True when the diff was cut because it is too long to show. */
  cut: z.boolean(),
});
export type EditDetail = z.infer<typeof editDetail>;

/** Which edits are meant: some by number, those of a tool call or a run, or what a session did since an edit (0: since its beginning). */
export const editTarget = z.union([
  z.object({ edits: z.array(z.number().int()).min(1).max(10_000) }),
  z.object({ callId: z.string() }),
  z.object({ runId: z.string() }),
  z.object({ sessionId: z.string(), since: z.number().int().nonnegative() }),
]);
export type EditTarget = z.infer<typeof editTarget>;

/** Which way. */
export const revertKind = z.enum(['undo', 'redo']);
export type RevertKind = z.infer<typeof revertKind>;

/** A file that going back would touch, or cannot. */
export const plannedFile = z.object({
  path: z.string(),
  entry: entryType,
  /** What would happen to it. */
  will: z.enum(['create', 'modify', 'delete']),
  /** The edit that would be taken back, or done again, first. */
  editId: z.number().int(),
  /** Why it would be left as it is, in a sentence. */
  conflict: z.string().optional(),
});
export type PlannedFile = z.infer<typeof plannedFile>;

/** What going back did: new edits, and the files that were left as they are. */
export const revertReport = z.object({
  edits: z.array(editView),
  left: z.array(
    z.object({
      editId: z.number().int(),
      path: z.string(),
      entry: entryType,
      why: z.string(),
      /** It is not what the edit left behind, so there is something to choose; false for a full disk and the like. */
      isConflict: z.boolean(),
    }),
  ),
});
export type RevertReport = z.infer<typeof revertReport>;

/**
 * A file that is not what an edit left behind, and what could become of it. Texts are null where there is no file, absent where
 * they can't be had (binary, too large, or no longer known).
 */
export const editConflict = z.object({
  editId: z.number().int(),
  path: z.string(),
  /** The file before the edit: what taking it back is to give. */
  before: z.string().nullable().optional(),
  current: z.string().nullable().optional(),
  /** The edit taken back and everything else kept; where both touch the same lines, both stand in it between marks. */
  merged: z.object({ text: z.string(), conflicts: z.number().int() }).optional(),
  /** From the current file to the one before the edit, and to the merged one. */
  toBefore: z.array(diffHunk),
  toMerged: z.array(diffHunk),
  /** True when these are not told whole: the texts are. */
  cut: z.boolean().optional(),
});
export type EditConflict = z.infer<typeof editConflict>;

/** How a conflict is settled: the state before the edit, or this text. */
export const conflictChoice = z.union([
  z.object({ use: z.literal('before') }),
  z.object({ use: z.literal('text'), text: z.string() }),
]);
export type ConflictChoice = z.infer<typeof conflictChoice>;

/** Who wrote the lines of a file as it is now: a run of `lines` lines, from the top, by one edit; none: older than the history, or by hand. */
export const blame = z.object({
  path: z.string(),
  spans: z.array(z.object({ lines: z.number().int().positive(), editId: z.number().int().optional() })),
  edits: z.array(editView),
  text: z.string(),
});
export type Blame = z.infer<typeof blame>;

/** Which edits are listed. All that is given must hold; the newest come first. */
export const historyQuery = z.object({
  sessionId: z.string().min(1).optional(),
  /** This very file. */
  path: z.string().optional(),
  /** A part of the path, in any case. */
  pathPart: z.string().max(1000).optional(),
  /** What is in this folder. */
  within: z.string().optional(),
  callId: z.string().optional(),
  runId: z.string().optional(),
  tool: z.string().optional(),
  /** `agent`, `person`, or the id of an app. */
  caller: z.string().optional(),
  /** Milliseconds since 1970, both included. */
  from: z.number().optional(),
  to: z.number().optional(),
  /** Only edits with smaller numbers: the next page. */
  beforeId: z.number().int().optional(),
  limit: z.number().int().min(1).max(1000).default(200),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** What there is to filter the list by. */
export const historyFacets = z.object({
  tools: z.array(z.string()),
  /** `id` as the filter `caller` takes it. */
  callers: z.array(z.object({ id: z.string(), kind: z.enum(['agent', 'person', 'app', 'view']), name: z.string() })),
  sessions: z.array(z.string()),
});
export type HistoryFacets = z.infer<typeof historyFacets>;
