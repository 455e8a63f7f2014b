import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { CausewayError } from '../../src-shared/index.ts';

/** Where Causeway keeps its data: CAUSEWAY_HOME, else the platform's config folder. Absolute; made by whoever opens it. */
export function homeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment['CAUSEWAY_HOME'];
  return chosen ? path.resolve(chosen) : envPaths('causeway', { suffix: '' }).config;
}

/**
 * The folder to work in, symlinks resolved; by default the current one.
 * @throws CausewayError `not_found` when there is no such folder.
 */
export function workspaceFolder(chosen: string | undefined): string {
  const folder = path.resolve(chosen ?? process.cwd());
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CausewayError('not_found', `The workspace ${folder} is not a folder.`, {
      hint: 'Make it first, or name another one with --workspace.',
    });
  }
  return realpathSync(folder);
}

/**
 * The installed package: the nearest folder above this file that holds `package.json` and, once built, `dist/`. Found by
 * looking, because bundled code moves while the package stays.
 */
export function packageFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) {
    folder = path.dirname(folder);
  }
  return folder;
}

/** A file or folder of the built program, such as `renderer` or `electron/main.js`. */
export function builtPath(...parts: string[]): string {
  return path.join(packageFolder(), 'dist', ...parts);
}

/** The version of this installation. */
export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(packageFolder(), 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
