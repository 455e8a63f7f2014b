import { CausewayError } from '../../../src-shared/index.ts';
import { isInside } from '../../platform/index.ts';
import type { FileOperator } from '../contract.ts';

/*
 * A security boundary: the one door beside a sandbox. A path outside of the workspace that the person said yes to, as its links led
 * at that moment, is worked on with the person's own rights, for that call. Of a folder what is in it can be looked at.
 *
 * It does NOT protect against: somebody who may write around that path and swaps a link between the look and the deed; a sandboxed
 * command can only where another session's workspace is.
 */

export interface Door {
  /** The path the person allowed, links resolved. */
  readonly approved: string;
  /** False when nothing may be changed, allowed or not. */
  readonly writable: boolean;
}

/** `files`, but for the approved path `local`. */
export function withDoor(files: FileOperator, local: FileOperator, { approved, writable }: Door): FileOperator {
  async function toRead(path: string): Promise<FileOperator> {
    if (!isInside(path, approved)) return files;
    const real = await local.realPath(path);
    if (!isInside(real, approved)) throw movedAway(path, real);
    return local;
  }
  async function toWrite(path: string): Promise<FileOperator> {
    if (path !== approved || !writable) return files;
    const real = await local.realPath(path);
    if (real !== approved) throw movedAway(path, real);
    return local;
  }
  return {
    realPath: async (path) => (await toRead(path)).realPath(path),
    stat: async (path, options) => (await toRead(path)).stat(path, options),
    entry: async (path) => (await toRead(path)).entry(path),
    read: async (path, range) => (await toRead(path)).read(path, range),
    holds: async (path, expected) => (await toRead(path)).holds(path, expected),
    readLink: async (path) => (await toRead(path)).readLink(path),
    list: async (path) => (await toRead(path)).list(path),
    write: async (path, chunks, options) => (await toWrite(path)).write(path, chunks, options),
    remove: async (path, options) => (await toWrite(path)).remove(path, options),
    syncFolder: async (path) => (await toWrite(path)).syncFolder(path),
    setMode: async (path, mode) => (await toWrite(path)).setMode(path, mode),
    makeLink: async (path, target) => (await toWrite(path)).makeLink(path, target),
    makeFolder: async (path, options) => (await toWrite(path)).makeFolder(path, options),
    removeFolder: async (path) => (await toWrite(path)).removeFolder(path),
    settle: async (path) => (await toWrite(path)).settle(path),
  };
}

function movedAway(path: string, real: string): CausewayError {
  return new CausewayError('refused', `${path} leads to ${real} now, which is not what the person allowed.`, {
    hint: 'Ask for that path itself.',
  });
}
