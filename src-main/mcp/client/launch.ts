import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CausewayError, type StdioServerConfig } from '../../../src-shared/index.ts';
import { expandList, expandText, expandValues, type References } from './expand.ts';
import { managerFolders } from './launching/program-folders.ts';
import { referencedSecrets, secretValues } from './launching/secrets.ts';

/** A command that can be run as it is. */
export interface Launch {
  /** Absolute path of the program. */
  file: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  /** Values in it that nobody should see. */
  secrets: string[];
  /** Makes the launch one in a sandbox, whose files are kept in `folder`. @throws CausewayError `refused`. */
  confine?: (folder: string) => Promise<ConfinedLaunch>;
}

/** A launch that is kept in; disposed of when the program has ended. */
export interface ConfinedLaunch extends Pick<Launch, 'file' | 'args' | 'cwd' | 'env'> {
  dispose(): Promise<void>;
}

/** The program of a server is nowhere to be found. Where it was looked for is long: for who looks closer, not for the sentence. */
export class ProgramMissing extends CausewayError {
  /** Each one once; undefined for a command that names its place. */
  readonly folders: readonly string[] | undefined;

  constructor(command: string, folders: readonly string[] | undefined) {
    super('not_found', `The command "${command}" was not found.`, { hint: missingHint(command) });
    this.folders = folders && [...new Set(folders)];
  }
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

export interface LaunchOptions extends References {
  /** Folders to look in, as in PATH. */
  searchPath: string;
  /** Where a server starts that names no folder; the person's home by default. */
  folder?: string | undefined;
  /** Folders to look in when PATH has nothing; by default those of version managers. */
  otherFolders?: readonly string[];
}

/**
 * Finds the program and puts together its environment.
 * @throws ProgramMissing; CausewayError `not_found` for a working folder, `bad_input` for a variable or an input that is not there.
 */
export async function prepareLaunch(config: StdioServerConfig, options: LaunchOptions): Promise<Launch> {
  const { env, searchPath, folder = homedir() } = options;
  const own = expandValues(config.env, options);
  const folders = (own['PATH'] ?? searchPath).split(path.delimiter).filter((one) => path.isAbsolute(one));
  const cwd = path.resolve(withHome(expandText(config.cwd ?? folder, options)));
  if (!(await isFolder(cwd))) {
    throw new CausewayError('not_found', `The server's working folder ${cwd} does not exist.`, {
      hint: 'Make it, or change "cwd" in the config file.',
    });
  }
  const command = withHome(expandText(config.command, options));
  // Looked for only when PATH has it not: it costs a few dozen looks at the disk.
  const others = (): readonly string[] => options.otherFolders ?? managerFolders(homedir(), env);
  const found = await findProgram(command, [() => folders, others], cwd);
  if (!found) throw new ProgramMissing(command, hasPlace(command) ? undefined : [...folders, ...others()]);
  const args = expandList(config.args, options);
  // What a version manager has beside it (`node` beside `npx`) is found by the program, too.
  const inner = found.elsewhere && !own['PATH'] ? [path.dirname(found.file), ...folders] : folders;
  return {
    file: found.file,
    args,
    cwd,
    env: { ...inherited(env), PATH: inner.join(path.delimiter), ...own },
    secrets: [...secretValues(own), ...referencedSecrets(config, options)],
  };
}

function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && INHERITED.test(name) ? [[name, value]] : [],
    ),
  );
}

/** @param places folders by turn; `elsewhere` says that it was not in the first ones. */
async function findProgram(
  command: string,
  places: readonly (() => readonly string[])[],
  cwd: string,
): Promise<{ file: string; elsewhere: boolean } | undefined> {
  if (hasPlace(command)) {
    const file = await firstProgram([path.resolve(cwd, command)]);
    return file === undefined ? undefined : { file, elsewhere: false };
  }
  for (const [index, folders] of places.entries()) {
    const file = await firstProgram(folders().map((folder) => path.join(folder, command)));
    if (file !== undefined) return { file, elsewhere: index > 0 };
  }
  return undefined;
}

async function firstProgram(candidates: readonly string[]): Promise<string | undefined> {
  for (const place of candidates.flatMap((candidate) => withExtensions(candidate))) {
    if (await isProgram(place)) return place;
  }
  return undefined;
}

function withExtensions(file: string): string[] {
  if (process.platform !== 'win32') return [file];
  // The script without an extension beside `npx.cmd` is for other systems.
  return [...['.exe', '.cmd', '.bat', '.com'].map((extension) => file + extension), file];
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

/** True for a command that is a path, which is not looked for in folders. */
function hasPlace(command: string): boolean {
  return /[\\/]/.test(command);
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
