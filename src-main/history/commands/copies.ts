import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Entry } from '../contract.ts';
import { stampOf, type Stamp } from './scan.ts';

/** How copies end. */
const SUFFIX = '.copy';
/** Files that are copied at the same time. */
const AT_ONCE = 8;
/** A file that changes while it is copied is copied again, this often. */
const TRIES = 3;
const NOTHING = new Uint8Array(0);

/** Something as it was. */
export interface Kept {
  readonly stamp: Stamp;
  /** Of a file the name of the copy in its folder, of a symlink where it leads, in Base64; a folder has nothing. */
  readonly copy: string;
}

/** Copies of files as they are before a command. Where the file system can, they share their blocks with the files. */
export interface Copies {
  /** Copies these; those that vanish or cannot be read are missing in what comes back. */
  keep(files: Iterable<string>, signal: AbortSignal, onCopied?: (done: number) => void): Promise<Map<string, Kept>>;
  /** Undefined when the copy is gone. */
  read(kept: Kept): Promise<Entry | undefined>;
  drop(kept: Kept): Promise<void>;
  /** Removes all but these. */
  retain(kept: Iterable<Kept>): Promise<void>;
}

export function createCopies(folder: string): Copies {
  async function keepOne(file: string): Promise<Kept | undefined> {
    const copy = `${randomBytes(8).toString('hex')}${SUFFIX}`;
    const target = path.join(folder, copy);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stamp = stampOf(file);
      if (!stamp) return undefined;
      if (stamp.type === 'folder') return { stamp, copy: '' };
      if (stamp.type === 'symlink') return { stamp, copy: (await readlink(file, 'buffer')).toString('base64') };
      await copyFile(file, target, constants.COPYFILE_FICLONE);
      if (stampOf(file)?.key === stamp.key) return { stamp, copy };
    }
    return undefined;
  }

  return {
    async keep(files, signal, onCopied) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = new Map<string, Kept>();
      const left = files[Symbol.iterator]();
      let done = 0;
      async function work(): Promise<void> {
        for (let item = left.next(); !item.done; item = left.next()) {
          signal.throwIfAborted();
          const one = await keepOne(item.value).catch(passOver);
          if (one) kept.set(item.value, one);
          done += 1;
          onCopied?.(done);
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return kept;
    },
    async read({ copy, stamp: { type, mode } }) {
      if (type === 'folder') return { type, bytes: NOTHING, mode };
      if (type === 'symlink') return { type, bytes: Buffer.from(copy, 'base64'), mode: null };
      const bytes = await readFile(path.join(folder, copy)).catch(passOver);
      return bytes && { type, bytes, mode };
    },
    async drop({ copy, stamp }) {
      if (stamp.type === 'file') await unlink(path.join(folder, copy)).catch(() => undefined);
    },
    async retain(kept) {
      const names = new Set([...kept].map(({ copy }) => copy));
      const there = await readdir(folder).catch(() => []);
      for (const name of there) {
        if (name.endsWith(SUFFIX) && !names.has(name)) await unlink(path.join(folder, name)).catch(() => undefined);
      }
    },
  };
}

/** What is not there any more, or not ours to read, has no copy; a full disk is another matter. */
function passOver(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM') return undefined;
  throw error;
}
