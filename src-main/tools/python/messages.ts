import { z } from 'zod';

/** A frame longer than this is nonsense, in bytes. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** Pictures of one job, whatever the worker says of itself. */
export const MAX_PICTURES = 20;
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
    data: z.base64().min(1),
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
