import { z } from 'zod';
import { configInput } from './config-inputs.ts';
import { serverConfig } from './servers.ts';

/** A server with the name it has, or is to have, in the config file. */
export const namedServer = z.object({ name: z.string().min(1).max(200), config: serverConfig });
export type NamedServer = z.infer<typeof namedServer>;

/** Stands for a secret that the window is not given, and that stays as it is when it comes back. */
export const KEPT_SECRET = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

/**
 * How a proposed server relates to the attached ones: `new`; `same`, it is attached as it is; `clash`, another one has its
 * name; `unknown`, it can not be understood.
 */
export const proposalStatus = z.enum(['new', 'same', 'clash', 'unknown']);

const shown = {
  name: z.string(),
  status: proposalStatus,
  /** The whole command line or URL, what looks like a secret masked. */
  target: z.string(),
  /** Environment variables and headers, each as `NAME=value`, secrets masked. */
  values: z.array(z.string()),
  /** What the person should know: what was left out, what is still to be filled in, why it can not be understood. */
  notes: z.array(z.string()),
};

/** A server that a text asks to add. Nothing of it has been run or written. */
export const serverProposal = z.object({ ...shown, config: serverConfig.optional() });
export type ServerProposal = z.infer<typeof serverProposal>;

/** What was understood of a pasted text. */
export const readServers = z.object({
  proposals: z.array(serverProposal),
  inputs: z.array(configInput),
  /** Why nothing could be understood. */
  problem: z.string().optional(),
});
export type ReadServers = z.infer<typeof readServers>;

/** A server in another program's settings. Its secrets stay in the core. */
export const importCandidate = z.object({ ...shown, id: z.string() });

/** One settings file of another program. */
export const importSource = z.object({
  /** As the program calls itself. */
  app: z.string(),
  /** A short name for the command line. */
  key: z.string(),
  file: z.string(),
  candidates: z.array(importCandidate),
  /** Why nothing in it could be understood. */
  problem: z.string().optional(),
});
export type ImportSource = z.infer<typeof importSource>;

/** A server to take over from another program, under a name that may be another one. */
export const importChoice = z.object({ id: z.string(), name: z.string().min(1).max(200) });
export type ImportChoice = z.infer<typeof importChoice>;
