import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CausewayError, type StdioServerConfig } from '../../../src-shared/index.ts';
import { expandList, expandText, expandValues } from './expand.ts';

/** A command that can be run as it is. */
export interface Launch {
  /** Absolute path of the program. */
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/** Programs that fetch a package before they run it. */
const PACKAGE_RUNNERS = new Set([
  'npx',
  'npm',
  'pnpm',
  'pnpx',
  'yarn',
  'bunx',
  'uvx',
  'uv',
  'pipx',
  'docker',
  'podman',
]);

/**
 * What a server gets of our environment: enough to find programs, speak the person's language and reach the network. Keys of
 * models and clouds are not among it; what a server needs is named in its `env`.
 */
const INHERITED =
  /^(HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LC_\w+|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|APPDATA|LOCALAPPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMDATA|PROGRAMFILES.*|PROGRAMW6432|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|WINDIR)$/;

/** True for programs that download packages, of which only a few should start at a time. */
export function isPackageRunner(command: string): boolean {
  return PACKAGE_RUNNERS.has(programName(command));
}

/**
 * Finds the program and puts together its environment.
 * @param searchPath folders to look in, as in PATH.
 * @param folder where a server starts that names no folder; the person's home by default.
 * @throws CausewayError `not_found` naming what was looked for and where, `bad_input` for a variable that is not set.
 */
export async function prepareLaunch(
  config: StdioServerConfig,
  { env, searchPath, folder = homedir() }: { env: NodeJS.ProcessEnv; searchPath: string; folder?: string | undefined },
): Promise<Launch> {
  const own = expandValues(config.env, env);
  const folders = (own['PATH'] ?? searchPath).split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const cwd = path.resolve(withHome(expandText(config.cwd ?? folder, env)));
  if (!(await isFolder(cwd))) {
    throw new CausewayError('not_found', `The server's working folder ${cwd} does not exist.`, {
      hint: 'Make it, or change "cwd" in the config file.',
    });
  }
  const command = withHome(expandText(config.command, env));
  const file = await findProgram(command, folders, cwd);
  if (file === undefined) throw programMissing(command, folders);
  return {
    file,
    args: expandList(config.args, env),
    cwd,
    env: { ...inherited(env), PATH: folders.join(path.delimiter), ...own },
  };
}

function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && INHERITED.test(name) ? [[name, value]] : [],
    ),
  );
}

async function findProgram(command: string, folders: readonly string[], cwd: string): Promise<string | undefined> {
  const places = /[\\/]/.test(command)
    ? [path.resolve(cwd, command)]
    : folders.map((folder) => path.join(folder, command));
  for (const place of places.flatMap((candidate) => withExtensions(candidate))) {
    if (await isProgram(place)) return place;
  }
  return undefined;
}

function withExtensions(file: string): string[] {
  if (process.platform !== 'win32') return [file];
  return [file, ...['.exe', '.cmd', '.bat', '.com'].map((extension) => file + extension)];
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  return stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function withHome(file: string): string {
  return file === '~' || file.startsWith('~/') ? path.join(homedir(), file.slice(1)) : file;
}

function programMissing(command: string, folders: readonly string[]): CausewayError {
  const place = /[\\/]/.test(command)
    ? ''
    : ` It was looked for in ${folders.join(', ') || 'no folder: PATH is empty'}.`;
  return new CausewayError('not_found', `The command "${command}" was not found.${place}`, {
    hint: missingHint(command),
  });
}

function missingHint(command: string): string {
  switch (programName(command)) {
    case 'uvx':
    case 'uv':
      return 'uv is not installed: see https://docs.astral.sh/uv/, then restart this server.';
    case 'npx':
    case 'npm':
    case 'node':
      return 'Node.js is not installed: see https://nodejs.org, then restart this server.';
    case 'bunx':
    case 'bun':
      return 'Bun is not installed: see https://bun.sh, then restart this server.';
    case 'docker':
      return 'Docker is not installed: see https://docs.docker.com, then restart this server.';
    case 'python':
    case 'python3':
    case 'pipx':
      return 'Python is not installed, or not under this name.';
    default:
      return 'Install it, or write its full path as "command" in the config file.';
  }
}

function programName(command: string): string {
  return path.basename(command).replace(/\.(exe|cmd|bat|com)$/i, '');
}
