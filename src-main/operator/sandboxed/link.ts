import { CausewayError } from '../../../src-shared/index.ts';
import type { SandboxedProcess } from '../../sandbox/index.ts';
import { errorOf } from '../calls/failure.ts';
import type { Answer, FileCall } from '../calls/file-call.ts';
import { createFrameReader, frameOf, MAX_PAYLOAD_BYTES, totalBytes } from './frames.ts';
import { hello, reply, type Reply } from './replies.ts';

/** How long the worker may take to start, in milliseconds. */
const BOOT_MS = 15_000;
/** How long a call may take, in milliseconds, and for each megabyte that it moves on top. Nothing is to wait for ever. */
const CALL_MS = 60_000;
const CALL_MS_PER_MEGABYTE = 500;
const MEGABYTE = 1024 * 1024;
/** Most of what the worker writes to standard error that is kept, in characters: why it did not start. */
const KEPT_WORDS = 2000;

/** A running file worker. */
export interface WorkerLink {
  /** What it sees where something was mounted. @throws CausewayError `unavailable` when it ended before it could say so. */
  readonly sees: Promise<readonly (string | null)[]>;
  readonly alive: boolean;
  /**
   * @param payload bytes that go along.
   * @throws CausewayError what the worker says, or `io` when it ends in the middle, `timeout` when it does not answer.
   */
  call(call: FileCall, payload?: readonly Uint8Array[]): Promise<Answer>;
  /** Resolves when no call waits any more. */
  settled(): Promise<void>;
  /** Ends it, and with it every call that waits. */
  kill(): Promise<void>;
}

interface Waiting {
  readonly path: string;
  readonly promise: Promise<Answer>;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: CausewayError) => void;
}

/** Speaks with the worker in a sandbox. What comes from there is checked; nonsense ends it. */
export function linkWorker(sandboxed: SandboxedProcess): WorkerLink {
  const { control, stdout, stderr } = sandboxed;
  const booted = Promise.withResolvers<readonly (string | null)[]>();
  // Whoever needs the worker awaits it.
  booted.promise.catch(() => undefined);
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let alive = true;
  let words = '';
  const bootTimer = setTimeout(end, BOOT_MS);

  function end(): void {
    alive = false;
    void sandboxed.kill();
  }

  stdout.resume();
  stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString('utf8')).slice(-KEPT_WORDS)));
  control.on(
    'data',
    createFrameReader(({ message, payload }) => {
      const answer = reply.safeParse(message);
      if (answer.success) return settle(answer.data, payload);
      const greeting = hello.safeParse(message);
      if (!greeting.success) return end();
      clearTimeout(bootTimer);
      booted.resolve(greeting.data.sees);
    }, end),
  );
  void sandboxed.gone.then(() => {
    alive = false;
    clearTimeout(bootTimer);
    const why = words.trim().split('\n').at(-1) ?? '';
    booted.reject(
      new CausewayError('unavailable', `The program that edits files in the sandbox did not start. ${why}`.trim()),
    );
    for (const one of waiting.values()) one.reject(endedMeanwhile(one.path));
    waiting.clear();
  });

  function settle({ id, value, error }: Reply, payload: Uint8Array): void {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error) one?.reject(errorOf(error));
    else one?.resolve({ value, payload });
  }

  return {
    sees: booted.promise,
    get alive() {
      return alive;
    },
    async call(call, payload = []) {
      const bytes = totalBytes(payload);
      if (bytes > MAX_PAYLOAD_BYTES) throw tooLarge(call.path);
      const id = (lastId += 1);
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      if (!alive) throw endedMeanwhile(call.path);
      waiting.set(id, { path: call.path, promise, resolve, reject });
      const expected = Math.max(bytes, 'size' in call ? call.size : 0);
      const timer = setTimeout(
        () => {
          reject(tooSlow(call.path));
          end();
        },
        CALL_MS + (expected / MEGABYTE) * CALL_MS_PER_MEGABYTE,
      );
      try {
        for (const piece of frameOf({ id, call }, payload)) control.write(piece);
        return await promise;
      } finally {
        clearTimeout(timer);
        waiting.delete(id);
      }
    },
    async settled() {
      await Promise.allSettled([...waiting.values()].map(({ promise }) => promise));
    },
    async kill() {
      alive = false;
      await sandboxed.kill();
    },
  };
}

function endedMeanwhile(path: string): CausewayError {
  return new CausewayError('io', `The program that edits files in the sandbox ended while it worked on ${path}.`, {
    hint: 'The file is as it was, or wholly new. Look at it and try again.',
  });
}

function tooSlow(path: string): CausewayError {
  return new CausewayError('timeout', `The program that edits files in the sandbox did not answer about ${path}.`, {
    hint: 'The disk may be slow or gone. Look at the file and try again.',
  });
}

function tooLarge(path: string): CausewayError {
  return new CausewayError('bad_input', `${path} is too large to be written in the sandbox.`, {
    hint: 'Split it into smaller files.',
  });
}
