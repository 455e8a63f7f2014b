import { createHash } from 'node:crypto';
import type { ServerConfig } from '../../../../src-shared/index.ts';
import { isStdio } from '../target.ts';

/** What an entry runs or reaches, as a hash. Keys and other settings may change: it is the same server. */
export function whatRuns(config: ServerConfig): string {
  const runs = isStdio(config) ? [config.command, config.args, config.cwd ?? null] : [config.url];
  return createHash('sha256').update(JSON.stringify(runs)).digest('hex');
}
