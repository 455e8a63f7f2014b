import { z } from 'zod';

const name = z.string().min(1).max(200);

/** A stdio server as every README writes it. Unknown keys are kept. */
export const stdioServer = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  cwd: z.string().optional(),
  disabled: z.boolean().default(false),
});
/** A server behind a URL: Streamable HTTP, or legacy SSE (`type: "sse"`, or found by trying). */
export const httpServer = z.looseObject({
  type: z.enum(['http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  disabled: z.boolean().default(false),
});
export const serverConfig = z.union([stdioServer, httpServer]);
export type StdioServerConfig = z.infer<typeof stdioServer>;
export type HttpServerConfig = z.infer<typeof httpServer>;
export type ServerConfig = z.infer<typeof serverConfig>;

/** States that people can read. */
export const serverState = z.enum(['off', 'starting', 'ready', 'needs-sign-in', 'failed', 'stopped']);
export type ServerState = z.infer<typeof serverState>;

/** Something that a server's entry asks of the person (`${input:ID}`): given once, and never shown again. */
export const serverInput = z.object({
  id: z.string(),
  description: z.string().optional(),
  /** Not to be shown while it is typed. */
  secret: z.boolean(),
  options: z.array(z.string()).optional(),
  preset: z.string().optional(),
  given: z.boolean(),
});
export type ServerInput = z.infer<typeof serverInput>;
/**
 * Signing in to a server behind a URL: it can not be used before; it wants more permissions than were given; the browser is
 * waited for; the person is signed in.
 */
export const signInState = z.enum(['needed', 'more', 'waiting', 'done']);
export type SignInState = z.infer<typeof signInState>;

/** An attached server as pages and `causeway servers list` show it. */
export const serverView = z.object({
  name,
  state: serverState,
  /** Why it is in this state, in a sentence, when there is something to say. */
  message: z.string().optional(),
  transport: z.enum(['stdio', 'http', 'sse']),
  /** The exact command line or URL. Secrets in env and headers are not part of it. */
  target: z.string(),
  tools: z.array(z.object({ name: z.string(), originalName: z.string(), description: z.string() })),
  /** The tools are those that it last listed: it is still starting, and a call waits for it. */
  remembered: z.boolean().optional(),
  /** Full path of the program that was found for the command. */
  program: z.string().optional(),
  /** It runs in a sandbox. */
  sandboxed: z.boolean().optional(),
  inputs: z.array(serverInput).optional(),
  /** How many tools are held back until the person has looked at them. */
  heldTools: z.number().int().optional(),
  /** What the server says of itself: untrusted text from outside, shown as such. */
  instructions: z.string().optional(),
  serverInfo: z.object({ name: z.string(), version: z.string() }).optional(),
  /** The last lines the server wrote to stderr. */
  stderr: z.array(z.string()),
  connectMs: z.number().optional(),
  /** Undefined where nobody signs in. */
  signIn: signInState.optional(),
  /** It comes with Causeway: it can be switched off, and not removed. */
  builtIn: z.boolean().optional(),
});
export type ServerView = z.infer<typeof serverView>;
