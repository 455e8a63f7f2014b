import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from './make-folders.ts';

/**
 * Replaces a file of Causeway's own (settings, config, blobs) in one step: temporary file beside it, fsync, rename. For the
 * person's files use an operator, which also keeps mode, owner and links.
 */
export function writeFileAtomic(file: string, data: string | Uint8Array, mode = 0o600): void {
  makeFolders(path.dirname(file), 0o700);
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const fd = openSync(temporary, 'wx', mode);
    try {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      let written = 0;
      while (written < bytes.length) written += writeSync(fd, bytes, written);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
