import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { CausewayError } from '../../src-shared/index.ts';
import { writeFileAtomic } from '../platform/index.ts';
import type { ByteStore } from './contract.ts';

/**
 * Bytes kept as files under `folder`, named by their SHA-256.
 * @param older another such folder that is read where this one has nothing.
 */
export function createByteStore(folder: string, older?: string): ByteStore {
  const fileOf = (sha256: string, within = folder): string => path.join(within, sha256.slice(0, 2), sha256);

  return {
    put(bytes) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const file = fileOf(sha256);
      if (existsSync(file)) touch(file);
      else writeFileAtomic(file, bytes);
      return { sha256, size: bytes.byteLength };
    },
    read(sha256) {
      checkName(sha256);
      const file = fileOf(sha256);
      try {
        return readFileSync(older !== undefined && !existsSync(file) ? fileOf(sha256, older) : file);
      } catch (cause) {
        throw new CausewayError('not_found', `The stored object ${sha256.slice(0, 12)} is not there any more.`, {
          cause,
        });
      }
    },
    list() {
      const found = namesIn(folder).flatMap((part) =>
        namesIn(path.join(folder, part))
          .filter(isName)
          .map((sha256) => ({ sha256, stats: statSync(fileOf(sha256), { throwIfNoEntry: false }) })),
      );
      return found.flatMap(({ sha256, stats }) =>
        stats ? [{ sha256, size: stats.size, changedAt: stats.mtimeMs }] : [],
      );
    },
    remove(sha256, since = Infinity) {
      checkName(sha256);
      const stats = statSync(fileOf(sha256), { throwIfNoEntry: false });
      if (!stats || stats.mtimeMs > since) return false;
      rmSync(fileOf(sha256), { force: true });
      return true;
    },
  };
}

/** What is stored once more counts as new, for who removes what is old and not needed. */
function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Another user's file, or just removed: then it is written the next time.
  }
}

function isName(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

/** The name becomes part of a path: nothing but a digest may pass. */
function checkName(name: string): void {
  if (!isName(name)) throw new CausewayError('bad_input', 'That is not the name of a stored object.');
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
