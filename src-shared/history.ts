import { z } from 'zod';
import { editKind } from './events.ts';
import { caller } from './tool.ts';

/** `pending` is being written; `conflict` was half done when the program died and the file is neither old nor new. */
export const editState = z.enum(['pending', 'applied', 'undone', 'dropped', 'conflict']);
export type EditState = z.infer<typeof editState>;

/** One change to one file, as the history lists it. */
export const editView = z.object({
  id: z.number().int(),
  sessionId: z.string(),
  callId: z.string().optional(),
  caller,
  /** Absolute path. */
  path: z.string(),
  kind: editKind,
  state: editState,
  at: z.number(),
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
  hunks: z.array(diffHunk),
  /** True when the diff was cut because it is too long to show. */
  cut: z.boolean(),
});
export type EditDetail = z.infer<typeof editDetail>;
