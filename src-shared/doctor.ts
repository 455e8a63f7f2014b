import { z } from 'zod';

/** One thing that `causeway doctor` looked for. */
export const finding = z.object({
  name: z.string(),
  status: z.enum(['ok', 'missing', 'warning']),
  /** What was found, in a sentence. */
  detail: z.string(),
  /** What to do about it, when there is something to do. */
  fix: z.string().optional(),
});
export type Finding = z.infer<typeof finding>;
