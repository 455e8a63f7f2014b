import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Variables and functions of a shell are not larger than this, in bytes. */
const MOST_STATE = 32 * 1024 * 1024;

/**
 * What a shell saved, without our own functions, which the next shell has anew. The file is the shell's: it may be anything, also
 * a link to a file that a sandboxed shell could not read itself. Undefined when it is not a plain file of a sane size.
 */
export function readState(file: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.nlink !== 1 || stat.size > MOST_STATE) return undefined;
    return readFileSync(fd, 'latin1').replace(/^declare -fr? __causeway_.*\n/gm, '');
  } finally {
    closeSync(fd);
  }
}
