import { z } from 'zod';
import type { JsonSchema } from './json.ts';

const jsonSchema = z.custom<JsonSchema>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Hints about a tool's effects, as in MCP ("ToolAnnotations"). Claims of its author, never proof. */
export const toolAnnotations = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type ToolAnnotations = z.infer<typeof toolAnnotations>;

/** Whose tool it is: Causeway's own, or an attached server's under its original name. */
export const toolOrigin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('builtin') }),
  z.object({ kind: z.literal('server'), server: z.string(), originalName: z.string() }),
]);
export type ToolOrigin = z.infer<typeof toolOrigin>;

/** What people and models see of a tool. Schemas are exactly as their author wrote them. */
export const toolDefinition = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.optional(),
  annotations: toolAnnotations.optional(),
  icons: z.array(z.looseObject({ src: z.string() })).optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
  origin: toolOrigin,
  /** Its server is still starting, and offered it the last time. */
  remembered: z.boolean().optional(),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;

/** A tool as the chat completions API wants it. */
export interface FunctionTool {
  type: 'function';
  function: { name: string; description: string; parameters: JsonSchema };
}

/** The definition as an OpenAI function; the schema is passed on by reference, unchanged. */
export function toFunction(tool: ToolDefinition): FunctionTool {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  };
}

/** Who asks for a tool call. Approval, history and shell sessions are kept per caller. */
export const caller = z.discriminatedUnion('kind', [
  /** The agent, in a run of a session. */
  z.object({ kind: z.literal('agent'), runId: z.string() }),
  /** A person: the Tools page or `causeway call`. */
  z.object({ kind: z.literal('person') }),
  /** Another app over MCP. */
  z.object({ kind: z.literal('app'), id: z.string(), name: z.string() }),
  /** The view of an attached server, in the card of the call that it shows. */
  z.object({ kind: z.literal('view'), server: z.string(), callId: z.string() }),
]);
export type Caller = z.infer<typeof caller>;
