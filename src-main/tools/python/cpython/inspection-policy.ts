import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../../platform/index.ts';
import type { SandboxPolicy } from '../../../sandbox/index.ts';

/** Links on the way to a program; more are a circle. */
const MOST_LINKS = 20;

/**
 * The sandbox in which an interpreter says what it is: all that is on the machine, read-only, because a shim may call other programs
 * to find the real one, but of the person's home only what the interpreter itself is in.
 */
export function inspectionPolicy(options: {
  candidate: string;
  searchPath: string;
  home: string;
  hidden: readonly string[];
}): SandboxPolicy {
  const { candidate, searchPath, hidden } = options;
  const home = real(options.home);
  const isHomeHidden = home !== '/';
  const shown = isHomeHidden ? foldersAround(candidate).filter((one) => one !== home && isInside(one, home)) : [];
  const size = 1024 * 1024;
  return {
    root: 'host',
    protectedEntries: [],
    readable: [],
    hidden: isHomeHidden ? [home, ...hidden] : hidden,
    files: {},
    shared: shown
      .filter((one) => !hidden.some((secret) => isInside(secret, one) || isInside(one, secret)))
      .map((one) => ({ path: one, access: 'read-only' as const })),
    env: { PATH: searchPath, HOME: home, LANG: 'C.UTF-8' },
    network: 'none',
    sizes: { temporary: size, sharedMemory: size, home: size },
  };
}

/** The folders of a program and of what its links lead to: that of its installation, for one in a `bin` of its own. */
function foldersAround(program: string): string[] {
  const folders: string[] = [];
  for (let file = program, count = 0; count < MOST_LINKS; count += 1) {
    const folder = path.dirname(file);
    const above = path.dirname(folder);
    // What keeps all of the person's programs keeps more than programs.
    folders.push(path.basename(above) === '.local' ? folder : above);
    try {
      file = path.resolve(real(folder), readlinkSync(file));
    } catch {
      break;
    }
  }
  return [...new Set(folders.flatMap((folder) => [folder, real(folder)]))];
}

function real(entry: string): string {
  try {
    return realpathSync(entry);
  } catch {
    return entry;
  }
}
