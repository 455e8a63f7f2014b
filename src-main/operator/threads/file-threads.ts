import { setImmediate as nextTurn } from 'node:timers/promises';
import { CausewayError } from '../../../src-shared/index.ts';
import type { FileCall, Send } from '../calls/file-call.ts';
import { createRemoteFiles } from '../calls/remote-files.ts';
import type { FileOperator } from '../contract.ts';
import { isShared, type PlainFile } from './messages.ts';
import { startFileThread, type FileThread } from './thread.ts';

/** Writes wait for the disk: more threads than processors are of use. */
const MOST_THREADS = 4;
/** Paths of which is remembered that their files have no attributes. */
const MOST_PLAIN = 10_000;
/** Bytes that are copied for another thread without a thought. */
const LIGHT_BYTES = 1024 * 1024;
/** Bytes copied between two turns of the event loop: some milliseconds. */
const COPY_BYTES = 8 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

/** This machine's files, worked on in threads, so that neither a slow disk nor a large file keeps the program from anything else. */
export interface FileThreads extends AsyncDisposable {
  readonly files: FileOperator;
}

/**
 * A few threads, each started when all others have something to do. One that ends in the middle of a call fails that call alone.
 * @param program what a thread runs: `operator/worker.ts`, or what it was built to.
 */
export function createFileThreads({ program }: { program: string }): FileThreads {
  const threads = new Set<FileThread>();
  const plainFiles = new Map<string, PlainFile>();
  let disposed = false;

  function freeThread(): FileThread {
    let best: FileThread | undefined;
    for (const thread of threads) if (!best || thread.busy < best.busy) best = thread;
    if (best && (best.busy === 0 || threads.size >= MOST_THREADS)) return best;
    const made = startFileThread(program, (ended) => threads.delete(ended));
    threads.add(made);
    return made;
  }

  function remember(path: string, plain: PlainFile | undefined): void {
    plainFiles.delete(path);
    if (plain) plainFiles.set(path, plain);
    const [oldest] = plainFiles.keys();
    if (oldest !== undefined && plainFiles.size > MOST_PLAIN) plainFiles.delete(oldest);
  }

  const send: Send = async (call, pieces = []) => {
    const payload: Uint8Array[] = [];
    for (const piece of pieces) payload.push(isShared(piece) ? piece : await copyOf(piece));
    if (disposed) throw ending(call);
    const written = call.method === 'write';
    const answer = await freeThread().call(call, payload, written ? plainFiles.get(call.path) : undefined);
    if (written) remember(call.path, answer.plain);
    return { value: answer.value, payload: answer.payload ? bufferOn(answer.payload) : NOTHING };
  };

  return {
    files: createRemoteFiles(send, (bytes) => isShared(bytes) || bytes.length <= LIGHT_BYTES),
    async [Symbol.asyncDispose]() {
      disposed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** A copy that can be given away: the bytes themselves may still be needed here, or share their memory with others. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes.length <= COPY_BYTES) return new Uint8Array(bytes);
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += COPY_BYTES) {
    copy.set(bytes.subarray(at, at + COPY_BYTES), at);
    await nextTurn();
  }
  return copy;
}

/** Node's own kind of bytes, on the same memory. */
function bufferOn({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function ending({ path }: FileCall): CausewayError {
  return new CausewayError('cancelled', `Causeway is ending, so ${path} is not worked on any more.`);
}
