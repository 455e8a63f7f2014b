import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../../src-shared/index.ts';
import { findTrustedProgram, isInside, type ProgramSearch } from '../../platform/index.ts';
import type { SandboxPolicy } from '../../sandbox/index.ts';

/*
 * A security boundary: what the file worker sees. The workspace at its own path, the system's programs and libraries to start Node
 * with, and nothing else of this machine; nothing but the workspace can be written to, no network, no environment of ours.
 */

/** Where the worker's text is inside. */
export const WORKER_PATH = '/run/causeway/file-worker.mjs';
/** Programs here need more of these folders than their own. */
const PROGRAM_FOLDERS = ['/nix', '/snap', '/home/linuxbrew/.linuxbrew'];
/** Lies beside Electron's program, which starts with nothing missing from its folder. */
const ELECTRON_DATA = 'icudtl.dat';

/** What a workspace keeps to itself even when it is around such places: as for the shell. */
export interface Kept {
  readonly protectedEntries: readonly string[];
  readonly hidden: readonly string[];
}

export function workerPolicy(options: {
  workspace: string;
  access: 'read-write' | 'read-only';
  kept: Kept;
  /** The real path of Node. */
  node: string;
  /** The worker's text. */
  text: string;
}): SandboxPolicy {
  const { workspace, access, kept, node, text } = options;
  return {
    root: 'minimal',
    workspace: { path: workspace, access },
    ...kept,
    readable: PROGRAM_FOLDERS.filter((folder) => isInside(node, folder)),
    shared: [{ path: shownFor(node), access: 'read-only' }],
    files: { [WORKER_PATH]: text },
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ELECTRON_RUN_AS_NODE: '1' },
    network: 'none',
    // No memory file systems: a write that goes astray fails instead of landing where nobody finds it.
    sizes: { temporary: 0, sharedMemory: 0, home: 0 },
  };
}

function shownFor(node: string): string {
  const folder = path.dirname(node);
  return existsSync(path.join(folder, ELECTRON_DATA)) ? folder : node;
}

/**
 * The real path of a program, looked for outside of the workspaces when it is a mere name.
 * @throws CausewayError `unavailable` when it is not there.
 */
export function findProgram(name: string, search: ProgramSearch): string {
  const found = path.isAbsolute(name) ? name : findTrustedProgram(name, search);
  if (found !== undefined && existsSync(found)) return realpathSync(found);
  throw new CausewayError('unavailable', `The program ${name}, which edits files in the sandbox, is not there.`, {
    hint: 'Install Node.js.',
  });
}
