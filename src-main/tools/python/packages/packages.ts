import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { CausewayError, shortHash } from '../../../../src-shared/index.ts';
import { writeFileAtomic } from '../../../platform/index.ts';
import type { Installed } from '../contract.ts';
import type { CpythonParts } from '../cpython/boot.ts';
import { runPip } from './installer.ts';

/** A session that uses no Python for so long loses its packages at the next start, in milliseconds. */
const KEPT_MS = 7 * 24 * 3600_000;
const LIST = 'installed.json';
const list = z.object({ packages: z.array(z.string()), count: z.number().int() });

/** Packages that were installed for one session each, outside of every workspace and of the interpreter. */
export interface Packages {
  /** What is there for a session. */
  of(sessionId: string): Installed | undefined;
  /** Those of the given ones that were not asked for in this session before. */
  missing(sessionId: string, wanted: readonly string[]): string[];
  /** @throws CausewayError `unavailable` with what pip said, or the signal's reason. */
  install(wanted: InstallRequest): Promise<void>;
}

export interface InstallRequest {
  readonly sessionId: string;
  readonly packages: readonly string[];
  readonly hosts: readonly string[];
  readonly index: string | null;
  readonly signal: AbortSignal;
  onOutput(text: string): void;
}

export function createPackages(
  parts: Pick<CpythonParts, 'sandbox' | 'interpreter' | 'hidden' | 'runDir'> & { home: string },
): Packages {
  const { executable, version } = parts.interpreter;
  const top = path.join(parts.home, 'python-packages');
  const ofInterpreter = shortHash(`${executable} ${version}`);
  const queues = new Map<string, Promise<unknown>>();
  removeOld(top);

  function folderOf(sessionId: string): string {
    if (!/^[\w-]{1,100}$/.test(sessionId)) throw new CausewayError('internal', `"${sessionId}" names no folder.`);
    return path.join(top, sessionId, ofInterpreter);
  }

  function read(sessionId: string): z.infer<typeof list> {
    try {
      return list.parse(JSON.parse(readFileSync(path.join(folderOf(sessionId), LIST), 'utf8')));
    } catch {
      return { packages: [], count: 0 };
    }
  }

  async function installNow({ sessionId, ...wanted }: InstallRequest): Promise<void> {
    const folder = folderOf(sessionId);
    const site = path.join(folder, 'site');
    mkdirSync(site, { recursive: true, mode: 0o700 });
    const { packages, count } = read(sessionId);
    await runPip(parts, { ...wanted, folder: site });
    const all = [...new Set([...packages, ...wanted.packages])];
    writeFileAtomic(path.join(folder, LIST), JSON.stringify({ packages: all, count: count + 1 }));
  }

  return {
    of(sessionId) {
      const { count } = read(sessionId);
      if (count === 0) return undefined;
      const now = new Date();
      utimesSync(path.join(top, sessionId), now, now);
      return { folder: path.join(folderOf(sessionId), 'site'), edition: String(count) };
    },
    missing(sessionId, wanted) {
      const there = new Set(read(sessionId).packages);
      return wanted.filter((one) => !there.has(one));
    },
    async install(wanted) {
      const before = queues.get(wanted.sessionId) ?? Promise.resolve();
      const turn = before.then(() => installNow(wanted));
      queues.set(
        wanted.sessionId,
        turn.catch(() => undefined),
      );
      await turn;
    },
  };
}

function removeOld(top: string): void {
  try {
    for (const name of readdirSync(top)) {
      const folder = path.join(top, name);
      if (Date.now() - statSync(folder).mtimeMs > KEPT_MS) rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // Nothing was ever installed, or it is tried again at the next start.
  }
}
