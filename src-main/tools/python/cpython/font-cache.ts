import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { shortHash } from '../../../../src-shared/index.ts';
import { createRunFolder, writeFileAtomic } from '../../../platform/index.ts';
import { bootCpython, type CpythonParts } from './boot.ts';
import type { FontCache } from './policy.ts';

/** Kind of the run folders that a list is built in. */
export const FONT_FOLDER = 'fonts';
const BUILD_MS = 30_000;
const MAX_BYTES = 4 * 1024 * 1024;

const stored = z.object({
  name: z.string().regex(/^fontlist-[\w.-]{1,40}\.json$/),
  content: z.string().max(MAX_BYTES),
});

/** Builds the list and prints it: the file's name, then its content. */
const BUILD = `
import glob, os, sys
import matplotlib, matplotlib.font_manager
path = glob.glob(os.path.join(matplotlib.get_cachedir(), "fontlist-*.json"))[0]
sys.stdout.write(os.path.basename(path) + "\\n" + open(path, encoding="utf-8").read())
`;

/** matplotlib's font list of one interpreter, built once in a sandbox and kept for later starts. */
export interface FontCacheKeeper extends AsyncDisposable {
  current(): FontCache | undefined;
  /** Builds it unless it is there. Without it figures are only slower, so a failure is no error. */
  fill(): Promise<void>;
}

export function createFontCache(parts: CpythonParts): FontCacheKeeper {
  const { executable, version } = parts.interpreter;
  const file = path.join(parts.runDir, `python-font-list-${shortHash(`${executable} ${version}`)}.json`);
  const ended = new AbortController();
  let cache = readStored(file);
  let filling: Promise<void> | undefined;

  async function build(): Promise<void> {
    const chunks: Uint8Array[] = [];
    // It is for all workspaces: none may have a say in it, by a module of its own that stands in for one of Python's.
    using folder = createRunFolder(parts.runDir, FONT_FOLDER, randomUUID());
    const empty = path.join(folder.path, 'empty');
    mkdirSync(empty);
    const worker = await bootCpython(
      { ...parts, terms: () => ({ workspace: 'read-only', hosts: [] }) },
      { workspace: realpathSync(empty) },
      { preload: [], fontCache: undefined },
    );
    try {
      await worker.run({
        code: BUILD,
        timeoutMs: BUILD_MS,
        signal: ended.signal,
        last: true,
        onOutput: (bytes) => void chunks.push(bytes),
      });
    } finally {
      await worker.kill();
    }
    const said = Buffer.concat(chunks).toString('utf8');
    const end = said.indexOf('\n');
    const built = stored.safeParse({ name: said.slice(0, end), content: said.slice(end + 1) });
    if (!built.success) return;
    cache = built.data;
    writeFileAtomic(file, JSON.stringify(cache));
  }

  return {
    current: () => cache,
    async fill() {
      if (cache) return;
      filling ??= build().catch(() => undefined);
      await filling;
    },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await filling;
    },
  };
}

function readStored(file: string): FontCache | undefined {
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Never built, or unreadable: it is built again.
    return undefined;
  }
}
