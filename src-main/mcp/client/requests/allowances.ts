import type { ClientCapabilities } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ServerConfig } from '../../../../src-shared/index.ts';
import type { ServerHost } from './contract.ts';

/** `"allow": ["sampling", "roots"]` in a server's entry of the config. What is not named there is off. */
const allowance = z.enum(['sampling', 'roots']);
export type Allowance = z.infer<typeof allowance>;

/** What the person allows a server beyond its tools. */
export function allowances(config: ServerConfig): Set<Allowance> {
  const { allow } = config;
  return new Set((Array.isArray(allow) ? allow : []).filter((word) => allowance.safeParse(word).success));
}

/** What a server is told that it may ask for. */
export function capabilities(config: ServerConfig, host: ServerHost | undefined): ClientCapabilities {
  if (!host) return {};
  const allowed = allowances(config);
  return {
    elicitation: { form: {}, url: {} },
    ...(allowed.has('sampling') && { sampling: {} }),
    ...(allowed.has('roots') && { roots: {} }),
  };
}
