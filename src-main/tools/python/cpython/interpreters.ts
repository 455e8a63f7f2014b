import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { CausewayError } from '../../../../src-shared/index.ts';
import { findTrustedProgram, isInside, programFolders, type ProgramSearch } from '../../../platform/index.ts';
import type { Sandbox } from '../../../sandbox/index.ts';
import { inspectionPolicy } from './inspection-policy.ts';
import { pythonFolders } from './python-folders.ts';

const INSPECT_MS = 8000;
const OLDEST = [3, 8] as const;
/** Packages worth telling a model of, the most telling ones first: an interpreter that has more of these four is preferred. */
const PREFERRED = ['numpy', 'matplotlib', 'pandas', 'PIL'];
const KNOWN_PACKAGES = [
  ...PREFERRED,
  'scipy',
  'sklearn',
  'sympy',
  'seaborn',
  'networkx',
  'openpyxl',
  'lxml',
  'bs4',
  'yaml',
];

const inspection = z.object({
  executable: z.string(),
  version: z.tuple([z.int().min(0).max(999), z.int().min(0).max(999), z.int().min(0).max(999)]),
  /** Folders it needs, links resolved and not. */
  folders: z.array(z.string()),
  // What it says goes to a model: nothing but names that are known beforehand.
  packages: z.array(z.string()).transform((names) => KNOWN_PACKAGES.filter((name) => names.includes(name))),
  pip: z.boolean(),
});

/** An installed Python. */
export interface Interpreter {
  /** Its real program: past pyenv's shims, but inside a virtual environment still the environment's. */
  readonly executable: string;
  readonly version: string;
  /** Folders to be shown to it, beside the system's. */
  readonly folders: readonly string[];
  readonly packages: readonly string[];
  /** Whether it can install more. */
  readonly pip: boolean;
}

const SCRIPT = `
import importlib.util, json, os, sys
names = ${JSON.stringify(KNOWN_PACKAGES)}
folders = {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}
folders |= {path for path in sys.path if os.path.isdir(path)}
folders |= {os.path.dirname(os.path.realpath(sys.executable))}
folders |= {os.path.realpath(path) for path in folders}
# Outside a virtual environment the program may be a link in a folder that the sandbox does not show.
executable = sys.executable if sys.prefix != sys.base_prefix else os.path.realpath(sys.executable)
json.dump({"executable": executable, "version": list(sys.version_info[:3]), "folders": sorted(folders),
  "packages": [name for name in names if importlib.util.find_spec(name)],
  "pip": importlib.util.find_spec("pip") is not None}, sys.stdout)
`;

/**
 * The interpreter to use: `wanted` if given, else the best on `searchPath` (the form of PATH): most of the preferred
 * packages, then first found. One in a workspace, which code can replace, is taken only when it is `wanted`. Interpreters are looked at
 * inside a sandbox, and what they say is believed only as far as it can be seen from outside.
 * @throws CausewayError `not_found` with what to install or to set.
 */
export async function findInterpreter(
  sandbox: Sandbox,
  options: ProgramSearch & { wanted: string | null; home: string; hidden: readonly string[] },
): Promise<Interpreter> {
  const candidates = options.wanted === null ? candidatesOn(options) : [options.wanted];
  const looked = await Promise.all(candidates.map((candidate) => inspect(sandbox, candidate, options)));
  const found = looked.filter((one) => one !== undefined);
  const best = found.toSorted((a, b) => preferredIn(b) - preferredIn(a))[0];
  if (best) return best;
  if (options.wanted !== null) {
    throw new CausewayError(
      'not_found',
      `${options.wanted} is not a Python of version 3.8 or newer that can be used.`,
      {
        hint: 'Set python.interpreter in the settings to another path, or to null to look for one.',
      },
    );
  }
  throw new CausewayError('not_found', 'No Python of version 3.8 or newer was found.', {
    hint: 'Install one ("apt install python3" or "dnf install python3"), or set python.interpreter in the settings.',
  });
}

function preferredIn(interpreter: Interpreter): number {
  return interpreter.packages.filter((name) => PREFERRED.includes(name)).length;
}

/** In the order of the path, the system's own last: whoever has another one means it. */
function candidatesOn(search: ProgramSearch): string[] {
  const folders = [...search.searchPath.split(path.delimiter), '/usr/local/bin', '/usr/bin'];
  const found = folders.map((searchPath) => findTrustedProgram('python3', { ...search, searchPath }));
  // On merged systems /bin is /usr/bin: nothing is looked at twice.
  return [...new Set(found.filter((file) => file !== undefined))];
}

async function inspect(
  sandbox: Sandbox,
  candidate: string,
  { home, hidden, ...search }: ProgramSearch & { home: string; hidden: readonly string[] },
): Promise<Interpreter | undefined> {
  if (!path.isAbsolute(candidate)) return undefined;
  const searchPath = programFolders(search).join(path.delimiter);
  const policy = inspectionPolicy({ candidate, searchPath, home, hidden });
  const looking = await sandbox.launch(policy, [candidate, '-I', '-c', SCRIPT], '/');
  const timer = setTimeout(() => void looking.kill(), INSPECT_MS);
  looking.stderr.resume();
  try {
    const said = await buffer(looking.stdout);
    const { executable, version, folders, packages, pip } = inspection.parse(JSON.parse(said.toString('utf8')));
    const [major, minor] = version;
    if (major !== OLDEST[0] || minor < OLDEST[1]) return undefined;
    const needed = foldersToShow(pythonFolders(folders), home, hidden);
    if (!needed || ![...SYSTEM, ...needed].some((folder) => isInside(executable, folder))) return undefined;
    return { executable, version: version.join('.'), folders: needed, packages, pip };
  } catch {
    // Not a Python, or one too broken to say what it is.
    return undefined;
  } finally {
    clearTimeout(timer);
    await looking.kill();
  }
}

/** What every sandbox shows anyway. */
const SYSTEM = ['/usr', '/bin', '/lib', '/lib32', '/lib64', '/sbin'];

/**
 * The folders without those that others cover. Undefined when one of them would show the person's whole home, Causeway's
 * data or everything: such an interpreter cannot be used in a sandbox.
 */
export function foldersToShow(
  folders: readonly string[],
  home: string,
  hidden: readonly string[],
): string[] | undefined {
  const own = [...new Set(folders)].filter((folder) => !SYSTEM.some((system) => isInside(folder, system)));
  if (own.some((folder) => [home, ...hidden].some((secret) => isInside(secret, folder)))) return undefined;
  return own.filter((folder) => !own.some((other) => other !== folder && isInside(folder, other)));
}
