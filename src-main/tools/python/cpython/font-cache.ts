import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { shortHash } from '../../../../src-shared/index.ts';
import { writeFileAtomic } from '../../../platform/index.ts';
import { bootCpython, type CpythonParts } from './boot.ts';
import type { FontCache } from './policy.ts';

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
  fill(workspace: string): Promise<void>;
}

export function createFontCache(parts: CpythonParts): FontCacheKeeper {
  const { executable, version } = parts.interpreter;
  const file = path.join(parts.runDir, `python-fonts-${shortHash(`${executable} ${version}`)}.json`);
  const ended = new AbortController();
  let cache = readStored(file);
  let filling: Promise<void> | undefined;

  async function build(workspace: string): Promise<void> {
    const chunks: Uint8Array[] = [];
    const worker = await bootCpython(parts, { workspace }, { preload: [], fontCache: undefined });
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
    async fill(workspace) {
      if (cache) return;
      filling ??= build(workspace).catch(() => undefined);
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
