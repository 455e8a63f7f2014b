import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { IPty } from 'node-pty';

/** Shortest and longest wait before a terminal that takes nothing is tried again, in milliseconds. */
const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 250;
/** Typed text that no program reads; more is dropped, as a terminal does. In bytes. */
const MOST_WAITING = 8 * 1024 * 1024;
const INTERRUPT = '\x03';

/** What is typed, on its way into a terminal. */
export interface TerminalInput extends Disposable {
  /** The terminal's name, such as /dev/pts/3. */
  readonly device: string | undefined;
  write(data: string | Uint8Array): void;
}

/**
 * Writes into the pty itself. node-pty's own queue tries again in every turn of the event loop while a program reads nothing, and
 * goes on after the terminal is closed, when the descriptor's number may belong to another file.
 */
export function createTerminalInput(pty: IPty): TerminalInput {
  if (process.platform === 'win32') return throughPty(pty);
  const { fd, socket, device } = insideOf(pty);
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let pause = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;

  function forget(): void {
    clearTimeout(timer);
    timer = undefined;
    waiting = [];
    waitingBytes = 0;
  }

  function flush(): void {
    timer = undefined;
    for (let next = waiting[0]; next; next = waiting[0]) {
      // The socket owns the descriptor, and is marked before it closes it.
      if (socket.destroyed) return forget();
      const written = tryWrite(fd, next);
      if (written === 'closed') return forget();
      if (written > 0) pause = FIRST_WAIT_MS;
      waitingBytes -= written;
      if (written < next.length) {
        waiting[0] = next.subarray(written);
        timer = setTimeout(flush, pause);
        pause = Math.min(2 * pause, LONGEST_WAIT_MS);
        return;
      }
      waiting.shift();
    }
  }

  return {
    device,
    write(data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      // An interrupt is not kept waiting behind what nobody reads.
      if (data === INTERRUPT) forget();
      if (bytes.length === 0 || waitingBytes + bytes.length > MOST_WAITING) return;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (!timer) flush();
    },
    [Symbol.dispose]: forget,
  };
}

/** A Windows pseudo console is a pair of pipes, which node-pty writes to as they should be. */
function throughPty(pty: IPty): TerminalInput {
  return {
    device: undefined,
    write: (data) => pty.write(typeof data === 'string' ? data : Buffer.from(data)),
    [Symbol.dispose]: () => undefined,
  };
}

/** Bytes that went in; fewer, or none, when the terminal is full. */
function tryWrite(fd: number, bytes: Uint8Array): number | 'closed' {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 0 : 'closed';
  }
}

/** What node-pty has on Unix but does not declare; its version is pinned, and another one would fail here and not later. */
function insideOf(pty: object): { fd: number; socket: Socket; device: string | undefined } {
  const fd = 'fd' in pty ? pty.fd : undefined;
  const socket = '_socket' in pty ? pty._socket : undefined;
  if (typeof fd !== 'number' || !(socket instanceof Socket)) throw new Error('This node-pty is not the one we know.');
  const device = '_pty' in pty && typeof pty._pty === 'string' ? pty._pty : undefined;
  return { fd, socket, device };
}
