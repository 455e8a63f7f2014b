import path from 'node:path';
import type { AppOptions } from '../app.ts';
import { builtPath, homeFolder, packageFolder, version, workspaceFolder } from './paths.ts';

/**
 * What every host tells the core in the same way.
 * @throws CausewayError `not_found` when the workspace is not a folder.
 */
export function baseOptions({
  workspace,
  node = process.execPath,
}: {
  workspace?: string | undefined;
  /** A Node program that can run plain scripts; Electron is none. */
  node?: string;
}): Omit<AppOptions, 'canAsk'> {
  return {
    version: version(),
    home: homeFolder(),
    workspace: workspaceFolder(workspace),
    files: {
      assets: path.join(packageFolder(), 'assets'),
      wasmWorker: builtPath('python', 'wasm-worker.js'),
      fileWorker: builtPath('operator', 'file-worker.mjs'),
      node,
    },
    env: process.env,
  };
}
