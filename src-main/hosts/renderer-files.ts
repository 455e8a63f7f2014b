import { readdirSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** A file of the built window. */
export interface RendererFile {
  /** Absolute path. */
  readonly file: string;
  readonly type: string;
  /** True when its name holds a hash of its content, so that it may be cached for good. */
  readonly immutable: boolean;
}

/**
 * The files of the built window by URL path (`/`, `/assets/index-abc.js`). The list is made once and is all that is ever
 * served: no path from outside reaches the file system, so there is nothing to climb out of.
 * @throws CausewayError `unavailable` when the window was not built.
 */
export function listRendererFiles(folder: string): ReadonlyMap<string, RendererFile> {
  const files = new Map<string, RendererFile>();
  for (const entry of readBuilt(folder)) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const url = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    const type = TYPES[path.extname(entry.name)];
    if (type) files.set(url, { file, type, immutable: url.startsWith('/assets/') });
  }
  const index = files.get('/index.html');
  if (!index) throw notBuilt(folder);
  return files.set('/', index);
}

function readBuilt(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch (cause) {
    throw notBuilt(folder, cause);
  }
}

function readEntries(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}

function notBuilt(folder: string, cause?: unknown): CausewayError {
  return new CausewayError('unavailable', `The window is not built: ${folder} holds no index.html.`, {
    hint: 'Run "npm run build".',
    cause,
  });
}
