import { randomUUID } from 'node:crypto';
import { CausewayError, type OpenTerminal, type TerminalChunk, type TypedText } from '../../src-shared/index.ts';
import type { LiveTerminal, LiveTerminals } from '../tools/bash/index.ts';

/** Terminals that one window may have open at once. */
const MOST_OPEN = 32;
/** Bytes that wait for a window which does not read; then it gets the newest instead of all. */
const MOST_WAITING = 256 * 1024;

/** The terminals that one window has open. Disposing closes them; what runs in them goes on. */
export interface WindowTerminals extends Disposable {
  /** Null when nothing runs there. @throws CausewayError `conflict` when too many are open. */
  open(sessionId: string, job: string | undefined): OpenTerminal | null;
  /** What came since the last read, once there is something. @throws CausewayError `not_found`, as all below. */
  read(terminalId: string): Promise<TerminalChunk>;
  /** @throws CausewayError `conflict` when the command has ended. */
  write(terminalId: string, text: string): void;
  resize(terminalId: string, columns: number, rows: number): void;
  typedText(terminalId: string): Promise<TypedText>;
  stop(terminalId: string): Promise<void>;
  close(terminalId: string): void;
}

export function createWindowTerminals(terminals: LiveTerminals): WindowTerminals {
  const readers = new Map<string, Reader>();

  function find(terminalId: string): Reader {
    const reader = readers.get(terminalId);
    if (reader) return reader;
    throw new CausewayError('not_found', 'This terminal is not open any more.', { hint: 'Open the step again.' });
  }

  return {
    open(sessionId, job) {
      const live = terminals.terminal(sessionId, job);
      if (!live) return null;
      if (readers.size >= MOST_OPEN) {
        throw new CausewayError('conflict', `This window has ${MOST_OPEN} terminals open, and no more are allowed.`, {
          hint: 'Close steps that you do not need.',
        });
      }
      const terminalId = randomUUID();
      const { command, size } = live;
      const data = toBase64(live.snapshot());
      readers.set(terminalId, createReader(live));
      return { terminalId, command, ...size, data };
    },
    read: (terminalId) => find(terminalId).read(),
    write: (terminalId, text) => find(terminalId).live.write(text),
    resize: (terminalId, columns, rows) => find(terminalId).live.resize(columns, rows),
    typedText: (terminalId) => find(terminalId).live.typedText(),
    stop: (terminalId) => find(terminalId).live.stop(),
    close(terminalId) {
      readers.get(terminalId)?.[Symbol.dispose]();
      readers.delete(terminalId);
    },
    [Symbol.dispose]() {
      for (const reader of readers.values()) reader[Symbol.dispose]();
      readers.clear();
    },
  };
}

interface Reader extends Disposable {
  readonly live: LiveTerminal;
  read(): Promise<TerminalChunk>;
}

/** Keeps what a window has not read, up to a bound. */
function createReader(live: LiveTerminal): Reader {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let missed = false;
  let ended = false;
  let answer: ((chunk: TerminalChunk) => void) | undefined;

  function take(): TerminalChunk {
    const chunk: TerminalChunk = missed
      ? { data: toBase64(live.snapshot()), from: 'start', ended }
      : { data: toBase64(Buffer.concat(waiting)), from: 'here', ended };
    waiting = [];
    waitingBytes = 0;
    missed = false;
    return chunk;
  }

  function settle(): void {
    answer?.(take());
    answer = undefined;
  }

  const listening = live.onData((bytes) => {
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes > MOST_WAITING) {
      missed = true;
      waiting = [];
      waitingBytes = 0;
    }
    // In the next turn: what a program writes at once comes in several pieces.
    if (answer) setImmediate(settle);
  });
  const ending = live.onEnd(() => {
    ended = true;
    settle();
  });

  return {
    live,
    read() {
      // A read that is still open was given up by its window.
      settle();
      if (missed || waitingBytes > 0 || ended) return Promise.resolve(take());
      const { promise, resolve } = Promise.withResolvers<TerminalChunk>();
      answer = resolve;
      return promise;
    },
    [Symbol.dispose]() {
      listening[Symbol.dispose]();
      ending[Symbol.dispose]();
      ended = true;
      settle();
    },
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
