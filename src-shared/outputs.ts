import { z } from 'zod';

const place = z.number().int().nonnegative();

/** A page of a kept output: bytes `start` to `end` of it, as text. */
export const outputPage = z.object({ text: z.string(), start: place, end: place, totalBytes: place });
export type OutputPage = z.infer<typeof outputPage>;

/** Lines of a kept output that were searched for. */
export const outputMatches = z.object({
  /** Line numbers from 1; where each line begins, in bytes. */
  matches: z.array(z.object({ line: z.number().int(), offset: place, text: z.string() })),
  /** How many lines the output has, once all were looked at. */
  lines: place.nullable(),
  /** The line to go on from, when this was not all. */
  next: z.number().int().nullable(),
});
export type OutputMatches = z.infer<typeof outputMatches>;
