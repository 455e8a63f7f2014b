import { z } from 'zod';

/** What a message is. `unasked`: an answer to nothing that was asked, or one that came when nobody waited any more. */
export const trafficKind = z.enum(['request', 'answer', 'error', 'notification', 'unasked', 'junk', 'stderr', 'note']);
export type TrafficKind = z.infer<typeof trafficKind>;

/** One message between Causeway and a server, or a line of its stderr. */
export const trafficEntry = z.object({
  seq: z.number().int().positive(),
  at: z.number(),
  direction: z.enum(['to', 'from', 'none']),
  kind: trafficKind,
  /** Of an answer: of what it answers. */
  method: z.string().optional(),
  id: z.union([z.string(), z.number()]).optional(),
  /** From the question to this answer. */
  durationMs: z.number().optional(),
  /** The message as JSON, or the line: what is secret masked, what is long cut. */
  text: z.string(),
});
export type TrafficEntry = z.infer<typeof trafficEntry>;

/** What came after a point. */
export const trafficPage = z.object({
  entries: z.array(trafficEntry),
  /** How many after that point are gone, because there were too many to keep. */
  missed: z.number().int(),
});
export type TrafficPage = z.infer<typeof trafficPage>;
