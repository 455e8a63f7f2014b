import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { stampFile, type Stamp } from './scan.ts';

/** How copies end. */
const SUFFIX = '.copy';
/** Files that are copied at the same time. */
const AT_ONCE = 8;
/** A file that changes while it is copied is copied again, this often. */
const TRIES = 3;

/** A file as it was. */
export interface Kept {
  readonly stamp: Stamp;
  /** Name of the copy in its folder. */
  readonly copy: string;
}

/** Copies of files as they are before a command. Where the file system can, they share their blocks with the files. */
export interface Copies {
  /** Copies these; those that vanish or cannot be read are missing in what comes back. */
  keep(files: Iterable<string>, signal: AbortSignal): Promise<Map<string, Kept>>;
  read(kept: Kept): Promise<Uint8Array>;
  drop(kept: Kept): Promise<void>;
  /** Removes all but these. */
  retain(kept: Iterable<Kept>): Promise<void>;
}

export function createCopies(folder: string): Copies {
  async function keepOne(file: string): Promise<Kept | undefined> {
    const copy = `${randomBytes(8).toString('hex')}${SUFFIX}`;
    const target = path.join(folder, copy);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const before = stampFile(file);
      if (!before) return undefined;
      await copyFile(file, target, constants.COPYFILE_FICLONE);
      if (stampFile(file)?.key === before.key) return { stamp: before, copy };
    }
    return undefined;
  }

  return {
    async keep(files, signal) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = new Map<string, Kept>();
      const left = files[Symbol.iterator]();
      async function work(): Promise<void> {
        for (let item = left.next(); !item.done; item = left.next()) {
          signal.throwIfAborted();
          const one = await keepOne(item.value).catch(passOver);
          if (one) kept.set(item.value, one);
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      return kept;
    },
    read: ({ copy }) => readFile(path.join(folder, copy)),
    async drop({ copy }) {
      await unlink(path.join(folder, copy)).catch(() => undefined);
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
