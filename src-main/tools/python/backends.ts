import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CausewayError, describeError, type Settings } from '../../../src-shared/index.ts';
import type { ProgramSearch } from '../../platform/index.ts';
import type { KernelLimits, Sandbox } from '../../sandbox/index.ts';
import type { PythonDescription, Terms } from './contract.ts';
import { createCpythonBackend } from './cpython/backend.ts';
import { findInterpreter, type Interpreter } from './cpython/interpreters.ts';
import { LIMITS } from './cpython/policy.ts';
import type { Executor } from './executor.ts';
import { createPackages, type Packages } from './packages/packages.ts';
import { sourcesOf } from './packages/sources.ts';
import { createWasmBackend } from './wasm/backend.ts';

export interface BackendParts extends ProgramSearch {
  sandbox: Sandbox;
  settings: () => Settings;
  /** Holds `python/worker.py` and its neighbours. */
  assetsDir: string;
  /** The built WebAssembly worker. */
  wasmWorkerPath: string;
  /** A Node program that can run plain scripts. */
  nodePath: string;
  /** Causeway's folder for what lasts as long as the machine runs. */
  runDir: string;
  /** Causeway's data folder: never visible to Python. */
  home: string;
}

/** What runs Python now, and what is known of it. */
export interface Chosen {
  readonly executor: Executor | undefined;
  /** Only where packages can be installed at all. */
  readonly packages?: Packages | undefined;
  /** As the settings are now. */
  describe(): PythonDescription;
}

/** Chooses where Python runs, by the settings as they are when it is asked. */
export interface Backends extends AsyncDisposable {
  choose(): Promise<Chosen>;
  /** What was chosen last, when that has been settled. */
  readonly known: PythonDescription | undefined;
}

const NONE = { backend: 'none', interpreter: null, version: null, packages: [] } as const;

export function createBackends(parts: BackendParts): Backends {
  let current: { key: string; chosen: Promise<Chosen> } | undefined;
  let known: Chosen | undefined;

  async function tryOut({ backend, interpreter }: Settings['python']): Promise<Chosen> {
    const reasons: string[] = [];
    if (backend !== 'wasm') {
      try {
        return await cpython(parts, interpreter);
      } catch (error) {
        reasons.push(describeError(error));
      }
    }
    if (backend !== 'bubblewrap') {
      try {
        return await wasm(parts, reasons[0]);
      } catch (error) {
        reasons.push(describeError(error));
      }
    }
    return { executor: undefined, describe: () => ({ ...NONE, reason: reasons.join(' ') }) };
  }

  return {
    async choose() {
      const { backend, interpreter } = parts.settings().python;
      const key = JSON.stringify([backend, interpreter]);
      if (current?.key !== key) {
        const before = current?.chosen;
        void before?.then((chosen) => chosen.executor?.[Symbol.asyncDispose]());
        current = { key, chosen: tryOut(parts.settings().python) };
      }
      known = await current.chosen;
      return known;
    },
    get known() {
      return known?.describe();
    },
    async [Symbol.asyncDispose]() {
      await (await current?.chosen)?.executor?.[Symbol.asyncDispose]();
    },
  };
}

async function cpython(parts: BackendParts, wanted: string | null): Promise<Chosen> {
  const { sandbox, assetsDir, home, runDir, searchPath, workspaces } = parts;
  const probe = await sandbox.probe();
  if (probe.backend === 'none') throw new CausewayError('unavailable', probe.reason, { hint: probe.fix });
  const hidden = realFolders([home]);
  const interpreter = await findInterpreter(sandbox, { wanted, searchPath, workspaces, home: homedir(), hidden });
  const terms = (): Terms => termsOf(parts.settings());
  const read = (name: string): string => readFileSync(path.join(assetsDir, 'python', name), 'utf8');
  const executor = createCpythonBackend({
    sandbox,
    interpreter,
    hidden,
    terms,
    runDir,
    files: {
      'worker.py': read('worker.py'),
      'causeway_runner.py': read('causeway_runner.py'),
      'causeway_figures.py': read('causeway_figures.py'),
    },
  });
  return {
    executor,
    packages: interpreter.pip ? createPackages({ ...parts, interpreter, hidden }) : undefined,
    describe: () => ({
      noPackages: whyNoPackages(parts.settings(), interpreter),
      backend: 'bubblewrap',
      interpreter: interpreter.executable,
      version: interpreter.version,
      packages: interpreter.packages,
      reason: `CPython in bubblewrap ${probe.version}: ${reachable(terms())}, ${writable(terms())}, seccomp and Landlock.`,
      limits: describeLimits(probe.limits),
    }),
  };
}

/** Of the settings, what a sandbox depends on. */
export function termsOf({ python: { workspace, network } }: Settings): Terms {
  return { workspace, hosts: network === 'off' ? [] : network };
}

function whyNoPackages(settings: Settings, { executable, pip }: Interpreter): string | undefined {
  if (!pip) return `${executable} has no pip (on Debian and Ubuntu: "apt install python3-pip").`;
  if (sourcesOf(settings).hosts.length > 0) return undefined;
  return 'the setting "python.packageHosts" names no hosts that they may come from. Only the person can do that, on the Settings page: the hosts of the package index.';
}

function reachable({ hosts }: Terms): string {
  return hosts.length === 0 ? 'no network' : `no network but ${hosts.join(', ')}`;
}

function writable({ workspace }: Terms): string {
  return workspace === 'read-only'
    ? 'nothing that can be written'
    : 'the workspace as the only writable place (the space that files take there is not limited)';
}

/** Which limits hold, and by what. */
function describeLimits(limits: KernelLimits): { detail: string; fix?: string } {
  const { memoryBytes, processes, perProcess } = LIMITS;
  const each = `By process the kernel holds ${inGigabytes(perProcess.fileBytes)} of one file, ${inGigabytes(perProcess.addressSpaceBytes)} of addresses and the processor time.`;
  const all = `${inGigabytes(memoryBytes)} of memory`;
  if (limits.by === 'control groups') {
    return {
      detail: `The kernel holds ${all} and the number of processes of a call by control groups (version ${limits.version}). ${each}`,
    };
  }
  return {
    detail: `${all} and ${processes} processes of a call are held by a watch that looks twenty times a second, because ${limits.reason}. ${each}`,
    fix: 'With control groups the kernel itself would hold them: start Causeway by "systemd-run --user --scope causeway", or in a delegated group.',
  };
}

function inGigabytes(bytes: number): string {
  return `${bytes / 1024 ** 3} GB`;
}

async function wasm(parts: BackendParts, instead: string | undefined): Promise<Chosen> {
  const { executor, python, runtime } = await createWasmBackend(parts);
  return {
    executor,
    describe: () => ({
      noPackages: 'Pyodide has no network.',
      backend: 'wasm',
      interpreter: null,
      version: python,
      packages: [],
      reason:
        `Pyodide in a locked-down process of Node ${runtime}: no files of this machine, no network, no other programs.` +
        (instead ? ` CPython is not used: ${instead}` : ''),
    }),
  };
}

/** With links resolved, as mounts need them; a folder that is not there needs no hiding. */
function realFolders(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    try {
      return [realpathSync(folder)];
    } catch {
      return [];
    }
  });
}
