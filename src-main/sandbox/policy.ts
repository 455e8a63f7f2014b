import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import type { SandboxPolicy } from './contract.ts';
import { isInside } from '../platform/index.ts';

/** Where programs find their home folder unless the policy says otherwise. */
export const DEFAULT_HOME = '/sandbox/home';
const MEGABYTE = 1024 * 1024;
/** Folders of the system itself: as a workspace they would put its own programs or the kernel's files in reach. */
const SYSTEM_FOLDERS = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc',
  '/proc',
  '/sys',
  '/dev',
  '/boot',
  '/sandbox',
];

/** Folders that hold everybody's: one below them can be a workspace, they themselves cannot. */
const COMMON_FOLDERS = ['/', '/var', '/run', '/home'];

/** Programs and libraries, nothing else: no workspace, no network, small memory file systems. */
export function minimalPolicy(): SandboxPolicy {
  return {
    root: 'minimal',
    protectedEntries: [],
    readable: [],
    hidden: [],
    files: {},
    env: { PATH: '/usr/bin:/bin' },
    network: 'none',
    sizes: { temporary: MEGABYTE, sharedMemory: MEGABYTE, home: MEGABYTE },
  };
}

/**
 * Refuses what cannot be kept: relative paths, and workspaces that are the system's or Causeway's own.
 * @throws CausewayError `refused`.
 */
export function checkPolicy(policy: Omit<SandboxPolicy, 'env'>): void {
  const { workspace, readable, hidden, shared = [], home = DEFAULT_HOME, files } = policy;
  const paths = [
    ...[...readable, ...hidden, ...shared.map((one) => one.path), home, ...Object.keys(files)],
    ...(workspace ? [workspace.path] : []),
  ];
  for (const one of paths) {
    if (!path.isAbsolute(one) || path.normalize(one) !== one || one.includes('\0')) {
      throw new CausewayError('refused', `"${one}" is not a full, plain path, so it cannot be part of a sandbox.`);
    }
  }
  if (!workspace) return;
  const own = workspace.path;
  const isSystems = COMMON_FOLDERS.includes(own) || SYSTEM_FOLDERS.some((folder) => isInside(own, folder));
  if (isSystems || hidden.includes(own)) {
    throw new CausewayError('refused', `${own} cannot be the workspace of a sandbox: it belongs to the system.`, {
      hint: 'Choose a folder of your own as the workspace.',
    });
  }
}
