import { z } from 'zod';
import type { JsonObject } from './json.ts';

const jsonObject = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** What an attached server may ask of the person, usually in the middle of a call. All of its words are from outside. */
export const serverRequest = z.discriminatedUnion('kind', [
  /** A form to be filled in. `schema` is the restricted JSON Schema of MCP's elicitation: flat, no nesting. */
  z.object({ kind: z.literal('form'), message: z.string(), schema: jsonObject }),
  /** A page to be opened, where the person does something that must not pass through Causeway (signs in, pays). */
  z.object({ kind: z.literal('url'), message: z.string(), url: z.string() }),
  /** A question to the person's model: the server wants its answer ("sampling"). */
  z.object({
    kind: z.literal('sampling'),
    message: z.string(),
    system: z.string().optional(),
    maxTokens: z.number().optional(),
  }),
]);
export type ServerRequest = z.infer<typeof serverRequest>;

/** As in MCP: `decline` is an answer (no), `cancel` is none (the person did not say). */
export const serverAnswer = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  /** What was filled in. */
  content: jsonObject.optional(),
});
export type ServerAnswer = z.infer<typeof serverAnswer>;
