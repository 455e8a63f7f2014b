import { z } from 'zod';

const id = z.string().min(1).max(200);
const description = z.string().max(2000).optional();

/** What a `${input:id}` in the config file asks the person for, as VS Code writes it. */
export const configInput = z.union([
  z.looseObject({
    type: z.literal('promptString'),
    id,
    description,
    default: z.string().optional(),
    /** It is a secret: not shown while it is typed. */
    password: z.boolean().optional(),
  }),
  z.looseObject({
    type: z.literal('pickString'),
    id,
    description,
    default: z.string().optional(),
    options: z.array(z.string()).min(1),
  }),
]);
export type ConfigInput = z.infer<typeof configInput>;
