import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ServerConfig } from '../../../src-shared/index.ts';
import { writeFileAtomic } from '../../platform/index.ts';
import { isStdio } from './target.ts';

/** A server may be upgraded: what it spoke is asked again after a day, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;

const verdict = z.object({
  /** Speaks the protocol before 2026-07-28 only: `server/discover` need not be tried. */
  legacy: z.boolean(),
  /** Answers Server-Sent Events only (2024-11-05): Streamable HTTP need not be tried. */
  sse: z.boolean(),
});
const memoryFile = z.record(z.string(), verdict.extend({ at: z.number() }));

/** What a server was found to speak. */
type EraVerdict = z.infer<typeof verdict>;

/**
 * What servers were found to speak, kept over restarts. A server of the old protocol may end itself or keep silent when it is
 * asked for the new one, so that the question is worth not repeating.
 */
export interface EraMemory {
  recall(config: ServerConfig): EraVerdict | undefined;
  remember(config: ServerConfig, found: EraVerdict): void;
}

export function openEraMemory(runDir: string, now: () => number = Date.now): EraMemory {
  const file = path.join(runDir, 'server-eras.json');
  return {
    recall(config) {
      const known = read(file)[keyOf(config)];
      return known && now() - known.at < KEPT_MS ? { legacy: known.legacy, sse: known.sse } : undefined;
    },
    remember(config, found) {
      const key = keyOf(config);
      const { [key]: former, ...others } = read(file);
      if (former?.legacy === found.legacy && former.sse === found.sse && now() - former.at < KEPT_MS) return;
      const fresh = Object.entries(others).filter(([, entry]) => now() - entry.at < KEPT_MS);
      const worthKeeping = found.legacy || found.sse;
      if (!worthKeeping && !former) return;
      const next = { ...Object.fromEntries(fresh), ...(worthKeeping && { [key]: { ...found, at: now() } }) };
      writeFileAtomic(file, JSON.stringify(next));
    },
  };
}

function read(file: string): z.infer<typeof memoryFile> {
  try {
    return memoryFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // It only saves time: a file that is missing or damaged is no memory.
    return {};
  }
}

/** Hashed: command lines and URLs can hold secrets. */
function keyOf(config: ServerConfig): string {
  const identity = isStdio(config) ? [config.command, ...config.args] : [config.url];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24);
}
