import { z } from 'zod';
import { finding } from './doctor.ts';
import { trafficPage } from './traffic.ts';

const name = z.string().min(1);

/** Methods that help with a server: what is wrong with it, what it needs, what it says. */
export const serverHelpContract = {
  /** Looks at one server step by step; starts it when it does not run. */
  'server.doctor': { input: z.object({ name }), output: z.array(finding) },
  /** Keeps what the person gives for an input of the config file, and starts what waited for it; null forgets it. */
  'server.setInput': {
    input: z.object({ id: z.string().min(1).max(200), value: z.string().min(1).max(100_000).nullable() }),
    output: z.object({}),
  },
  /** What was said after a message; with `wait` it answers once there is something, or after a while with nothing. */
  'server.traffic': {
    input: z.object({ name, after: z.number().int().nonnegative(), wait: z.boolean().default(false) }),
    output: trafficPage,
  },
} satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;
