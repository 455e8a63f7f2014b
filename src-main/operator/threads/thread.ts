import { Worker } from 'node:worker_threads';
import { CausewayError, describeError } from '../../../src-shared/index.ts';
import { errorOf } from '../calls/failure.ts';
import type { FileCall } from '../calls/file-call.ts';
import { movable, type PlainFile, type ThreadAnswer, type ThreadRequest } from './messages.ts';

/** A running thread that works on files. */
export interface FileThread {
  /** Calls that wait for their answer. */
  readonly busy: number;
  /** @throws CausewayError what went wrong with the file, or `io` when the thread ends in the middle. */
  call(call: FileCall, payload: readonly Uint8Array[], plain: PlainFile | undefined): Promise<ThreadAnswer>;
  /** Ends it when no call waits any more. */
  end(): Promise<void>;
}

interface Waiting {
  readonly path: string;
  readonly promise: Promise<ThreadAnswer>;
  readonly resolve: (answer: ThreadAnswer) => void;
  readonly reject: (error: CausewayError) => void;
}

/** @param onEnd hears that no call may be given to it any more. */
export function startFileThread(program: string, onEnd: (thread: FileThread) => void): FileThread {
  // What this program was started with is not meant for its threads.
  const worker = new Worker(program, { execArgv: [] });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended = false;
  let why: unknown;

  // The program may end while there is nothing to do.
  worker.unref();
  worker.on('message', (answer: ThreadAnswer) => {
    const one = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if (answer.failure) one?.reject(errorOf(answer.failure));
    else one?.resolve(answer);
  });
  worker.on('error', (error) => {
    why = error;
    stopUse();
  });
  worker.on('exit', () => {
    stopUse();
    for (const { path, reject } of waiting.values()) reject(endedMeanwhile(path, why));
    waiting.clear();
  });

  function stopUse(): void {
    if (!ended) onEnd(thread);
    ended = true;
  }

  const thread: FileThread = {
    get busy() {
      return waiting.size;
    },
    call(call, payload, plain) {
      const id = (lastId += 1);
      const one: Waiting = { path: call.path, ...Promise.withResolvers<ThreadAnswer>() };
      if (waiting.size === 0) worker.ref();
      waiting.set(id, one);
      worker.postMessage({ id, call, payload, plain } satisfies ThreadRequest, movable(payload));
      return one.promise;
    },
    async end() {
      await Promise.allSettled([...waiting.values()].map(({ promise }) => promise));
      await worker.terminate();
    },
  };
  return thread;
}

function endedMeanwhile(path: string, why: unknown): CausewayError {
  const reason = why === undefined ? '' : ` (${describeError(why)})`;
  return new CausewayError(
    'io',
    `The part of Causeway that works on files ended while it worked on ${path}${reason}.`,
    {
      hint: 'The file is as it was, or wholly new. Look at it and try again.',
      ...(why !== undefined && { cause: why }),
    },
  );
}
