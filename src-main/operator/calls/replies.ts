import { z } from 'zod';

const kind = z.enum(['file', 'directory', 'symlink', 'other']);

/** What the methods give, as it is told from where the calls are done. */
export const fileStat = z
  .object({ kind, size: z.number(), mode: z.number(), mtimeMs: z.number(), stamp: z.string() })
  .nullable();
export const entries = z.array(z.object({ name: z.string(), kind }));
export const place = z.string();
export const same = z.boolean();
export const digestValue = z.string().nullable();
export const removed = z.boolean();
export const written = z.boolean();
export const nothing = z.null();
