import { availableParallelism } from 'node:os';
import { reapRunFolders } from '../../../platform/index.ts';
import { createExecutor, type Executor } from '../executor.ts';
import { bootCpython, type CpythonParts } from './boot.ts';
import { createFontCache, FONT_FOLDER } from './font-cache.ts';
import { WAY_OUT_FOLDER } from './way-out.ts';

/** Imported ahead of time as soon as code of this workspace has used them; numpy from the start. */
const PRELOADABLE: Readonly<Record<string, string>> = {
  numpy: 'numpy',
  pandas: 'pandas',
  matplotlib: 'matplotlib.pyplot',
  scipy: 'scipy',
  PIL: 'PIL.Image',
};

/** CPython, a fresh process in a fresh sandbox for every call. */
export function createCpythonBackend(parts: CpythonParts): Executor {
  const { interpreter } = parts;
  // What cannot be removed now is tried again at the next start.
  for (const kind of [WAY_OUT_FOLDER, FONT_FOLDER]) reapRunFolders(parts.runDir, kind).catch(() => undefined);
  const preload = new Set(interpreter.packages.includes('numpy') ? ['numpy'] : []);
  const fontCache = interpreter.packages.includes('matplotlib') ? createFontCache(parts) : undefined;
  const executor = createExecutor({
    kind: 'bubblewrap',
    boot: (place, code) => bootCpython(parts, place, { preload: preloadFor(code), fontCache: fontCache?.current() }),
    spares: 2,
    most: Math.max(4, availableParallelism() * 2),
    sessions: 8,
  });

  /** Code that waits for its worker does not wait for what it does not use. */
  function preloadFor(code: string | undefined): string[] {
    if (code === undefined) return [...preload];
    return Object.entries(PRELOADABLE).flatMap(([name, module]) =>
      preload.has(module) && code.includes(name) ? [module] : [],
    );
  }

  /** What code of today imports, code of tomorrow will import too. */
  function learn(code: string): void {
    for (const [name, module] of Object.entries(PRELOADABLE)) {
      if (!preload.has(module) && interpreter.packages.includes(name) && code.includes(name)) preload.add(module);
    }
  }

  return {
    ...executor,
    async run(request) {
      learn(request.job.code);
      if (fontCache && preload.has('matplotlib.pyplot')) await fontCache.fill();
      return await executor.run(request);
    },
    async [Symbol.asyncDispose]() {
      await fontCache?.[Symbol.asyncDispose]();
      await executor[Symbol.asyncDispose]();
    },
  };
}
