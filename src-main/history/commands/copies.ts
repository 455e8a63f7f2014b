import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, readlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Entry } from '../contract.ts';
import type { WhyLeftOut } from './left-out.ts';
import { createRoom, type Room } from './room.ts';
import { isGone, stampOf, type Stamp } from './scan.ts';

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
  /**
   * Of a file the name of the copy in its folder, of a symlink where it leads, in Base64; a folder has nothing. Null: it was there,
   * but what it held (of a folder: what was in it) is not known.
   */
  readonly copy: string | null;
}

/** What came of copying. What vanished meanwhile is in neither. */
export interface Copying {
  readonly kept: ReadonlyMap<string, Kept>;
  readonly leftOut: ReadonlyMap<string, WhyLeftOut>;
}

/** Copies of files as they are before a command. Where the file system can, they share their blocks with the files. */
export interface Copies {
  /** @throws the signal's reason, or the system's error when no copy at all can be made; nothing is left of the copies then. */
  keep(files: Iterable<string>, signal: AbortSignal, onCopied?: (done: number) => void): Promise<Copying>;
  /** Undefined when the copy is gone, or there never was one. */
  read(kept: Kept): Promise<Entry | undefined>;
  drop(kept: Kept): Promise<void>;
  /** Removes all but these. */
  retain(kept: Iterable<Kept>): Promise<void>;
}

export function createCopies(folder: string): Copies {
  async function keepOne(file: string, room: Room): Promise<Kept | WhyLeftOut | undefined> {
    const copy = `${randomBytes(8).toString('hex')}${SUFFIX}`;
    const target = path.join(folder, copy);
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const stamp = stampOf(file);
      if (!stamp) return isGone(file) ? undefined : 'unreadable';
      if (stamp.type === 'folder') return { stamp, copy: '' };
      if (stamp.type === 'symlink') return { stamp, copy: (await readlink(file, 'buffer')).toString('base64') };
      const giveBack = room.take(stamp.size);
      if (!giveBack) return 'room';
      try {
        await copyFile(file, target, constants.COPYFILE_FICLONE);
      } catch (error) {
        await unlink(target).catch(() => undefined);
        throw error;
      } finally {
        giveBack();
      }
      if (stampOf(file)?.key === stamp.key) return { stamp, copy };
      await unlink(target).catch(() => undefined);
    }
    return isGone(file) ? undefined : 'unreadable';
  }

  async function drop({ copy, stamp }: Kept): Promise<void> {
    if (stamp.type === 'file' && copy !== null) await unlink(path.join(folder, copy)).catch(() => undefined);
  }

  return {
    async keep(files, signal, onCopied) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const room = createRoom(folder);
      const kept = new Map<string, Kept>();
      const leftOut = new Map<string, WhyLeftOut>();
      const left = files[Symbol.iterator]();
      let done = 0;
      async function work(): Promise<void> {
        for (let item = left.next(); !item.done; item = left.next()) {
          signal.throwIfAborted();
          const file = item.value;
          const one = await keepOne(file, room).catch((error: unknown) => whyNot(file, error));
          if (typeof one === 'string') leftOut.set(file, one);
          else if (one) kept.set(file, one);
          done += 1;
          onCopied?.(done);
        }
      }
      const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
      const failed = workers.find((worker) => worker.status === 'rejected');
      if (!failed) return { kept, leftOut };
      for (const one of kept.values()) await drop(one);
      throw failed.reason;
    },
    async read({ copy, stamp: { type, mode } }) {
      if (type === 'folder') return { type, bytes: NOTHING, mode };
      if (copy === null) return undefined;
      if (type === 'symlink') return { type, bytes: Buffer.from(copy, 'base64'), mode: null };
      const bytes = await readFile(path.join(folder, copy)).catch(() => undefined);
      return bytes && { type, bytes, mode };
    },
    drop,
    async retain(kept) {
      const names = new Set([...kept].map(({ copy }) => copy));
      const there = await readdir(folder).catch(() => []);
      for (const name of there) {
        if (name.endsWith(SUFFIX) && !names.has(name)) await unlink(path.join(folder, name)).catch(() => undefined);
      }
    },
  };
}

/** Undefined for what vanished. */
function whyNot(file: string, error: unknown): WhyLeftOut | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'room';
  return isGone(file) ? undefined : 'unreadable';
}
