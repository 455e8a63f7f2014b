import { z } from 'zod';
import { diffHunk } from './history.ts';

/** What may happen with a tool: it runs unasked, each call asks, or it is neither offered nor can it be called. */
export const toolSwitch = z.enum(['on', 'ask', 'off']);
export type ToolSwitch = z.infer<typeof toolSwitch>;

/** Something in a text of a server that should make people look twice. */
export const textFlag = z.object({
  /**
   * `hidden`: characters that are not to be seen. `instruction`: words that tell a model what to do behind the person's back.
   * `long`: too much text to look at all of it.
   */
  kind: z.enum(['hidden', 'instruction', 'long']),
  /** Where it stands: `description`, `inputSchema.properties.path.description`, `instructions`. */
  where: z.string(),
  /** The words around it, with hidden characters shown by their numbers. */
  excerpt: z.string(),
  /** What the hidden characters spell, when they spell something. */
  spells: z.string().optional(),
});
export type TextFlag = z.infer<typeof textFlag>;

/**
 * How a tool's definition stands to the one the person knows. `new`: it came after its server was first seen. `changed`: it is
 * another than the one agreed to, and is held back. `suspicious`: new and flagged, held back too.
 */
export const toolStanding = z.enum(['known', 'new', 'changed', 'suspicious']);
export type ToolStanding = z.infer<typeof toolStanding>;

/** A tool of a server as its page shows it, offered or not. */
export const toolTrust = z.object({
  /** Names it within its server; a second tool of the same name has a number behind it. */
  key: z.string(),
  /** Its name for models. */
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  tokens: z.number().int(),
  standing: toolStanding,
  /** The person said no to the definition that is held back. */
  declined: z.boolean(),
  /** The definition as it is now: an answer names what it answers to. */
  hash: z.string(),
  /** What is set for this tool; null: as for the server. */
  switch: toolSwitch.nullable(),
  /** Whether its results wait for the person; null: as for the server. */
  hold: z.boolean().nullable(),
  flags: z.array(textFlag),
  /** From what was agreed to, to what is held back. `cut`: too much to show. */
  change: z.object({ hunks: z.array(diffHunk), cut: z.boolean() }).optional(),
});
export type ToolTrust = z.infer<typeof toolTrust>;

/** What the person decided about a server, and what there is to decide. */
export const serverTrust = z.object({
  server: z.string(),
  /** Null: as the mode of approvals says. */
  switch: toolSwitch.nullable(),
  hold: z.boolean(),
  /** What its offered tools cost in each request to a model. */
  tokens: z.number().int(),
  tools: z.array(toolTrust),
  instructions: z
    .object({ text: z.string(), on: z.boolean(), tokens: z.number().int(), flags: z.array(textFlag) })
    .optional(),
});
export type ServerTrust = z.infer<typeof serverTrust>;

const server = z.string().min(1);
const key = z.string().min(1);

/** The methods of the contract that are about trust. Each gives the server as it stands afterwards. */
export const trustContract = {
  'trust.server': { input: z.object({ server }), output: serverTrust },
  /** Without `key` for the whole server; null goes back to what holds above it. */
  'trust.setSwitch': {
    input: z.object({ server, key: key.optional(), value: toolSwitch.nullable() }),
    output: serverTrust,
  },
  'trust.setHold': {
    input: z.object({ server, key: key.optional(), value: z.boolean().nullable() }),
    output: serverTrust,
  },
  'trust.setInstructions': { input: z.object({ server, on: z.boolean() }), output: serverTrust },
  /** Agrees to a definition, or says no to it. Refused when the definition is not the one with this hash any more. */
  'trust.answer': {
    input: z.object({ server, key, hash: z.string(), accept: z.boolean() }),
    output: serverTrust,
  },
} as const;
