import type Database from 'better-sqlite3';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { ByteStore } from '../store/index.ts';
import { guarded } from './database-access.ts';
import type { EditSummary } from './edit-row.ts';

/** Larger files are not kept whole, in bytes. */
const MOST_BYTES = 2 * 1024 * 1024;
/** How much may wait to be kept, in bytes: what is more is not kept whole, and can still be taken back while it is unchanged. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** Quick edits of one file are one version: it is written when nothing was edited for this long, in milliseconds. */
const QUIET_MS = 500;

const compress = promisify(deflate);
const expand = promisify(inflate);

/**
 * Whole files as edits left them. An edit itself is kept as a splice, which is worth nothing when the file was changed by somebody
 * else since: for that the newest state of each file is kept, and each state that somebody else changed. Off the hot path; one
 * that a kill lost only means that there is no merge for it.
 */
export interface Versions extends AsyncDisposable {
  /** An edit was made. `pieces` are the new bytes, null for a file that is gone or not to be kept. */
  note(edit: EditSummary, pieces: readonly Uint8Array[] | null): void;
  /** Runs work that edits are made in. What waits to be kept waits for its end, so that the two do not slow each other down. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** The whole file as this edit left it; undefined when it is not kept. */
  read(editId: number): Promise<Uint8Array | undefined>;
}

interface Waiting {
  edit: EditSummary;
  pieces: readonly Uint8Array[] | null;
  size: number;
}

export function createVersions(db: Database.Database, blobs: ByteStore): Versions {
  const insert = db.prepare<[number, string, string, number]>(
    'INSERT OR REPLACE INTO versions (edit_id, path, blob, size) VALUES (?, ?, ?, ?)',
  );
  // A version stays where what came next did not begin with it: somebody else changed the file in between.
  const dropEarlier = db.prepare<{ path: string; id: number }>(
    `DELETE FROM versions WHERE path = @path AND edit_id < @id AND edit_id IN (
       SELECT v.edit_id FROM versions v JOIN edits e ON e.id = v.edit_id WHERE v.path = @path AND
         (SELECT n.before_hash FROM edits n WHERE n.path = @path AND n.id > v.edit_id AND n.state IN ('applied', 'undone')
          ORDER BY n.id LIMIT 1) IS e.after_hash)`,
  );
  const find = db.prepare<[number], { blob: string }>('SELECT blob FROM versions WHERE edit_id = ?');
  const waiting = new Map<string, Waiting>();
  /** States that somebody else has changed already. */
  const changed: Waiting[] = [];
  let waitingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  /** Works that edits are made in. */
  let busy = 0;
  let working: Promise<void> = Promise.resolve();

  function take(): Waiting[] {
    const taken = [...changed, ...waiting.values()];
    changed.length = 0;
    waiting.clear();
    waitingBytes = 0;
    return taken;
  }

  async function keep({ edit, pieces }: Waiting): Promise<void> {
    try {
      const blob = pieces && blobs.put(await compress(Buffer.concat(pieces)));
      guarded(() => {
        if (blob && pieces) insert.run(edit.id, edit.path, blob.sha256, sizeOf(pieces));
        dropEarlier.run({ path: edit.path, id: edit.id });
      });
    } catch {
      // A full disk, or an edit that was pruned meanwhile: there is no version, and nothing depends on it.
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = take();
    working = working.then(async () => {
      for (const one of taken) await keep(one);
    });
    return working;
  }

  function flushWhenQuiet(): void {
    clearTimeout(timer);
    timer =
      busy > 0 || (waiting.size === 0 && changed.length === 0) ? undefined : setTimeout(() => void flush(), QUIET_MS);
    timer?.unref();
  }

  return {
    note(edit, pieces) {
      const before = waiting.get(edit.path);
      if (before && before.edit.afterHash !== edit.beforeHash) changed.push(before);
      else waitingBytes -= before?.size ?? 0;
      const size = pieces ? sizeOf(pieces) : 0;
      const fits = size <= MOST_BYTES && waitingBytes + size <= MOST_WAITING_BYTES;
      waiting.set(edit.path, { edit, pieces: fits ? pieces : null, size: fits ? size : 0 });
      waitingBytes += fits ? size : 0;
      flushWhenQuiet();
    },
    async during(work) {
      busy += 1;
      flushWhenQuiet();
      try {
        return await work();
      } finally {
        busy -= 1;
        flushWhenQuiet();
      }
    },
    async read(editId) {
      await flush();
      const found = guarded(() => find.get(editId));
      if (!found) return undefined;
      try {
        return await expand(blobs.read(found.blob));
      } catch {
        return undefined;
      }
    },
    [Symbol.asyncDispose]: flush,
  };
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}
