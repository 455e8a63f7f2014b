import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findTrustedProgram, type ProgramSearch } from '../../platform/index.ts';
import type { SandboxProbe } from '../contract.ts';
import { filterMachine } from '../seccomp/filter.ts';
import type { Machine } from '../seccomp/syscalls.ts';
import { missingFeatures, parseVersion } from './features.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 5000;

/** A bubblewrap that offers what the policies need; whether it may make a sandbox here only a launch can tell. */
export interface FoundBubblewrap {
  readonly program: string;
  readonly version: string;
  readonly machine: Machine;
}

type Missing = Extract<SandboxProbe, { backend: 'none' }>;

/** Finds bubblewrap, outside of every workspace, and reads what it offers. */
export async function findBubblewrap(search: ProgramSearch): Promise<FoundBubblewrap | Missing> {
  if (process.platform !== 'linux') {
    return missing('bubblewrap exists for Linux only.', 'Use the WebAssembly backend on this system.');
  }
  const machine = filterMachine(process.arch);
  if (!machine) return missing(`There is no system call filter for ${process.arch}.`, 'Use the WebAssembly backend.');
  const program = findTrustedProgram('bwrap', search);
  if (!program) {
    return missing(
      'bubblewrap is not installed.',
      'Install it ("apt install bubblewrap" or "dnf install bubblewrap").',
    );
  }
  try {
    const [help, version] = await Promise.all([ask(program, '--help'), ask(program, '--version')]);
    const lacks = missingFeatures(help);
    if (lacks.length === 0) return { program, version: parseVersion(version), machine };
    return missing(
      `bubblewrap ${parseVersion(version)} does not know ${lacks.join(', ')}.`,
      'Install bubblewrap 0.8 or newer.',
    );
  } catch (error) {
    return missing(
      `${program} does not run: ${error instanceof Error ? error.message : String(error)}`,
      'Reinstall bubblewrap.',
    );
  }
}

async function ask(program: string, option: string): Promise<string> {
  const { stdout, stderr } = await run(program, [option], { timeout: TIMEOUT_MS, env: {} });
  return stdout + stderr;
}

function missing(reason: string, fix: string): Missing {
  return { backend: 'none', reason, fix };
}
