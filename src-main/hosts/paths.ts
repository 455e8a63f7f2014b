import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import { z } from 'zod';
import { CausewayError } from '../../src-shared/index.ts';
import { statIfThere } from '../platform/index.ts';

/** Where Causeway keeps its data: CAUSEWAY_HOME, else the platform's config folder. Absolute; made by whoever opens it. */
export function homeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment['CAUSEWAY_HOME'];
  return chosen ? absolute(chosen) : envPaths('causeway', { suffix: '' }).config;
}

/**
 * The folder to work in, symlinks resolved; by default the current one.
 * @throws CausewayError `not_found` when there is no such folder.
 */
export function workspaceFolder(chosen: string | undefined): string {
  if (chosen === '') {
    throw new CausewayError('bad_input', 'The workspace has no name.', {
      hint: 'Name a folder after --workspace, or leave it out.',
    });
  }
  const folder = absolute(chosen ?? '.');
  if (!statIfThere(folder)?.isDirectory()) {
    throw new CausewayError('not_found', `The workspace ${folder} is not a folder.`, {
      hint: 'Make it first, or name another one with --workspace.',
    });
  }
  return realpathSync(folder);
}

/** @throws CausewayError `not_found` for a relative path when the current folder was removed. */
function absolute(given: string): string {
  try {
    return path.resolve(given);
  } catch (cause) {
    throw new CausewayError('not_found', 'The current folder is not there any more.', {
      hint: 'Change to another one and try again.',
      cause,
    });
  }
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
