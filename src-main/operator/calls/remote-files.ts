import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { CausewayError } from '../../../src-shared/index.ts';
import type { FileOperator } from '../contract.ts';
import type { FileCall, Send } from './file-call.ts';
import { digestValue, entries, fileStat, nothing, place, removed, same, written } from './replies.ts';

/** Bytes hashed between two turns of the event loop: some milliseconds. */
const HASH_BYTES = 8 * 1024 * 1024;

/**
 * A FileOperator whose every method is done elsewhere.
 * @param isLight true for bytes that travel there at little cost; others are told by their hash where that is enough.
 */
export function createRemoteFiles(send: Send, isLight: (bytes: Uint8Array) => boolean = () => false): FileOperator {
  async function ask<T>(schema: z.ZodType<T>, call: FileCall, payload?: readonly Uint8Array[]): Promise<T> {
    return checked(schema, (await send(call, payload)).value, call.path);
  }
  async function tell(call: FileCall, payload?: readonly Uint8Array[]): Promise<void> {
    await ask(nothing, call, payload);
  }

  return {
    realPath: (path) => ask(place, { method: 'realPath', path }),
    stat: (path, { follow = true } = {}) => ask(fileStat, { method: 'stat', path, follow }),
    async entry(path) {
      const { value, payload } = await send({ method: 'entry', path });
      const stat = checked(fileStat, value, path);
      return stat && { stat, bytes: payload };
    },
    read: async (path, range) => (await send({ method: 'read', path, ...(range && { range }) })).payload,
    async holds(path, expected) {
      if (isLight(expected)) return ask(same, { method: 'holds', path }, [expected]);
      // Side by side: the file is read there while what is expected is hashed here.
      const [found, wanted] = await Promise.all([
        ask(digestValue, { method: 'digest', path, size: expected.byteLength }),
        digestOf(expected),
      ]);
      return found === wanted;
    },
    write(path, chunks, { mode, follow = true, syncFolder = true, ifStill } = {}) {
      const call = { method: 'write', path, follow, syncFolder } as const;
      const options = { ...(mode !== undefined && { mode }), ...(ifStill !== undefined && { ifStill }) };
      return ask(written, { ...call, ...options }, asList(chunks));
    },
    remove: (path, { syncFolder = true } = {}) => tell({ method: 'remove', path, syncFolder }),
    syncFolder: (path) => tell({ method: 'syncFolder', path }),
    setMode: (path, mode) => tell({ method: 'setMode', path, mode }),
    readLink: async (path) => (await send({ method: 'readLink', path })).payload,
    makeLink: (path, target) => tell({ method: 'makeLink', path }, [target]),
    makeFolder: (path, { mode } = {}) => tell({ method: 'makeFolder', path, ...(mode !== undefined && { mode }) }),
    removeFolder: (path) => ask(removed, { method: 'removeFolder', path }),
    list: (path) => ask(entries, { method: 'list', path }),
    settle: (path) => tell({ method: 'settle', path }),
  };
}

/** @throws CausewayError `protocol` */
function checked<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CausewayError('protocol', `What is said of ${path} where files are worked on makes no sense.`);
}

function asList(chunks: Uint8Array | readonly Uint8Array[]): readonly Uint8Array[] {
  return chunks instanceof Uint8Array ? [chunks] : chunks;
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASH_BYTES) {
    if (at > 0) await nextTurn();
    hash.update(bytes.subarray(at, at + HASH_BYTES));
  }
  return hash.digest('hex');
}
