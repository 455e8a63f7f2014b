import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** How long the download site may take to answer before Causeway goes on without the desktop app, in milliseconds. */
const REACH_MS = 1500;
/** Where the `electron` package fetches its binary from, unless ELECTRON_MIRROR names another place. */
const DOWNLOADS = 'https://github.com/electron/electron/releases/download/';

/** Electron's program, when it is on this machine: ELECTRON_OVERRIDE_DIST_PATH, else what the `electron` package fetched. */
export function findElectron(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folder = packageFolder();
  const program = (folder && readIfThere(path.join(folder, 'path.txt'))) ?? defaultProgram();
  const override = env['ELECTRON_OVERRIDE_DIST_PATH'];
  const dist = override || (folder && path.join(folder, 'dist'));
  const file = dist && path.join(dist, program);
  return file && existsSync(file) ? file : undefined;
}

/**
 * Fetches Electron's program with its package's own installer; undefined when that cannot be done. Waits for the download
 * only where its site answers at once.
 */
export async function fetchElectron({
  signal,
  onFetching,
}: {
  signal: AbortSignal;
  onFetching: () => void;
}): Promise<string | undefined> {
  const folder = packageFolder();
  const installer = folder && path.join(folder, 'install.js');
  if (!installer || !existsSync(installer) || !(await isReachable(signal))) return undefined;
  onFetching();
  const child = spawn(process.execPath, [installer], { stdio: 'ignore', signal });
  const installed = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
  return installed ? findElectron() : undefined;
}

async function isReachable(signal: AbortSignal): Promise<boolean> {
  try {
    const place = process.env['ELECTRON_MIRROR'] ?? process.env['npm_config_electron_mirror'] ?? DOWNLOADS;
    await fetch(place, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(REACH_MS)]),
    });
    return true;
  } catch {
    return false;
  }
}

/** Found by resolving, not by importing: importing the package would start its download. */
function packageFolder(): string | undefined {
  try {
    return path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return undefined;
  }
}

function defaultProgram(): string {
  if (process.platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return process.platform === 'win32' ? 'electron.exe' : 'electron';
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
