import { statfsSync } from 'node:fs';

/** Room that copies leave on their disk, in bytes; of a disk that has little, half of what is free. */
const LEFT_FREE = 64 * 1024 * 1024;

/** The room on a disk that copies may take: the history itself needs some, too. */
export interface Room {
  /** Takes room for a file of so many bytes, until the function it gives is called; undefined when there is none. */
  take(bytes: number): (() => void) | undefined;
}

/** @param folder a folder on the disk. */
export function createRoom(folder: string): Room {
  const leave = Math.min(LEFT_FREE, freeBytes(folder) / 2);
  let taken = 0;
  return {
    take(bytes) {
      if (freeBytes(folder) - taken - bytes < leave) return undefined;
      taken += bytes;
      return () => (taken -= bytes);
    },
  };
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
