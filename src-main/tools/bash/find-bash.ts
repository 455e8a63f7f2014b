import path from 'node:path';
import { CausewayError } from '../../../src-shared/index.ts';
import type { FileStat } from '../../operator/index.ts';

/** Folders of Homebrew, whose bash is newer than the 3.2 that macOS has. */
const HOMEBREW = ['/opt/homebrew/bin', '/usr/local/bin'];

/**
 * The bash to run: by its name where a sandbox may have another one (Linux), Homebrew's before the system's on macOS, and on
 * Windows that of Git for Windows, never the one in System32, which is another system's (WSL).
 * @throws CausewayError `unavailable` on Windows without Git.
 */
export async function findBash(
  stat: (file: string) => Promise<FileStat | null>,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<string> {
  if (platform !== 'darwin' && platform !== 'win32') return 'bash';
  const candidates = platform === 'darwin' ? HOMEBREW.map((folder) => `${folder}/bash`) : gitBashes(env);
  for (const candidate of candidates) {
    const found = await stat(candidate).catch(() => null);
    if (found?.kind === 'file') return candidate;
  }
  if (platform === 'darwin') return 'bash';
  throw new CausewayError('unavailable', 'There is no bash here for the shell to run.', {
    hint: 'Install Git for Windows, which brings one, or run Causeway inside the Windows Subsystem for Linux.',
  });
}

/** Where Git for Windows may be: its usual places, and beside the git that is found. */
function gitBashes(env: NodeJS.ProcessEnv): string[] {
  const { win32 } = path;
  const installed = [
    env['ProgramFiles'],
    env['ProgramFiles(x86)'],
    env['LOCALAPPDATA'] && `${env['LOCALAPPDATA']}\\Programs`,
  ]
    .filter((folder) => folder !== undefined && folder !== '')
    .map((folder) => win32.join(String(folder), 'Git', 'bin', 'bash.exe'));
  const beside = (env['PATH'] ?? '')
    .split(';')
    .filter((folder) => /\\git\\(cmd|bin)\\?$/i.test(folder))
    .map((folder) => win32.join(folder, '..', 'bin', 'bash.exe'));
  return [...installed, ...beside];
}
