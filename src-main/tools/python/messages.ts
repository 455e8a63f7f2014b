import { z } from 'zod';
import { MAX_PICTURE_BYTES } from './bounds.ts';

/** In base64 characters. */
const MAX_PICTURE_LENGTH = 4 * Math.ceil(MAX_PICTURE_BYTES / 3);
const MAX_TEXT = 200_000;

const text = z.string().max(MAX_TEXT);
const cell = z.string().max(1000);
/** What a screen can hold, whatever the worker says of itself. */
const table = z.object({
  columns: z
    .array(cell.nullable().transform((name) => name ?? ''))
    .min(1)
    .max(100),
  rows: z.array(z.array(cell.nullable()).max(100)).max(500),
  totalRows: z.number().int().nonnegative(),
  totalColumns: z.number().int().nonnegative(),
});

/** What workers say. Strict: a worker that says anything else is not ours any more. */
export const workerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    python: z.string().max(40),
    landlock: z.number().int().default(0),
    runtime: z.string().max(40).default(''),
  }),
  z.object({ type: z.literal('refused'), reason: text }),
  z.object({
    type: z.literal('picture'),
    mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/svg+xml']),
    data: z.base64().min(1).max(MAX_PICTURE_LENGTH),
  }),
  z.object({
    type: z.literal('done'),
    ok: z.boolean(),
    value: text.optional(),
    valueLength: z.number().int().nonnegative().optional(),
    error: text.optional(),
    traceback: text.optional(),
    exitCode: z.number().int().optional(),
    timeLimit: z.boolean().optional(),
    tables: z.array(table).max(20).optional(),
  }),
]);
export type WorkerMessage = z.infer<typeof workerMessage>;
