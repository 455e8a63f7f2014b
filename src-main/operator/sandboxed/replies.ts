import { z } from 'zod';

const errorCode = z.enum([
  ...(['bad_input', 'not_found', 'conflict', 'refused', 'unavailable'] as const),
  ...(['timeout', 'cancelled', 'io', 'protocol', 'internal'] as const),
]);

/** The worker's first word: what it sees where something was mounted, the workspace first; null for nothing. */
export const hello = z.object({ sees: z.array(z.string().nullable()).min(1) });

/** An answer: a value, or what went wrong, in the words it is to be told in. */
export const reply = z.object({
  id: z.number(),
  value: z.unknown().optional(),
  error: z
    .object({ code: errorCode, message: z.string(), hint: z.string().optional(), system: z.string().optional() })
    .optional(),
});
export type Reply = z.infer<typeof reply>;
