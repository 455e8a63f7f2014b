import { z } from 'zod';
import { runOutcome } from './events.ts';

/** `waiting` waits for a person (an approval or a question); `interrupted` was running when the program died. */
export const sessionState = z.enum(['idle', 'running', 'waiting', 'interrupted']);
export type SessionState = z.infer<typeof sessionState>;

/** Where a session came from: a person's window, the terminal (`run`, `call`), or another app over MCP. */
export const sessionOrigin = z.enum(['window', 'terminal', 'app']);
export type SessionOrigin = z.infer<typeof sessionOrigin>;

/** A session as lists show it. Times are milliseconds since the epoch. */
export const sessionSummary = z.object({
  id: z.string(),
  title: z.string(),
  /** Absolute path of the folder the session works in. */
  workspace: z.string(),
  origin: sessionOrigin,
  state: sessionState,
  lastOutcome: runOutcome.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type SessionSummary = z.infer<typeof sessionSummary>;

/** A point of a session: right after what an event (by `seq`) tells of, or right after a tool call and all that it did. */
export const rewindPoint = z.union([
  z.object({ seq: z.number().int().nonnegative() }),
  z.object({ callId: z.string() }),
]);
export type RewindPoint = z.infer<typeof rewindPoint>;
