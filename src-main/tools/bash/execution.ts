import { createEmitter } from '../../platform/index.ts';
import type { Capture, Captured } from './capture.ts';
import { SNAPSHOT_BYTES } from './live.ts';
import { createRecentBytes } from './recent-bytes.ts';

/** How a command ended. */
export interface Completion {
  readonly exitCode: number;
  /** False when the shell was gone before it read the command. */
  readonly started: boolean;
  /** The shell ended with it: `exit`, `exec`, `set -e`, a kill. */
  readonly shellEnded: boolean;
}

/** One command in a shell, from the trigger to its end. */
export interface Execution {
  readonly command: string;
  readonly number: number;
  readonly completion: Completion | undefined;
  readonly done: Promise<Completion>;
  /** Milliseconds until its end, or until now. */
  readonly durationMs: number;
  /** Milliseconds since it last wrote or was typed to. */
  readonly quietMs: number;
  /** The last bytes it wrote, for somebody who begins to watch. */
  readonly recent: Uint8Array;
  /** Output as it comes. */
  onOutput(listener: (bytes: Uint8Array) => void): Disposable;
  /** Output since the last time. */
  take(): Captured;
  /** What background jobs wrote between the command before and this one. */
  readonly before: Captured | undefined;
  /** Settles when bash runs its first line, if that was asked for; never for one that bash could not read. */
  readonly entered: Promise<undefined>;
  /** Settles when bash has read the line that starts it; what is typed before that belongs to nobody. */
  readonly begun: Promise<undefined>;
  /** bash has read the line that starts it. */
  begin(before: Captured): void;
  /** bash has read the command itself. */
  enter(): void;
  write(bytes: Uint8Array): void;
  /** Counts as activity. */
  touch(): void;
  complete(completion: Completion): void;
}

/** A command that starts now. Its output is cut where `complete` is called: later bytes are not its own. */
export function createExecution(parts: { command: string; number: number; capture: Capture }): Execution {
  const { command, number, capture } = parts;
  const { promise: done, resolve } = Promise.withResolvers<Completion>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<undefined>();
  const { promise: begun, resolve: markBegun } = Promise.withResolvers<undefined>();
  const startedAt = performance.now();
  let endedAt: number | undefined;
  let activeAt = startedAt;
  let before: Captured | undefined;
  let completion: Completion | undefined;
  const recent = createRecentBytes(SNAPSHOT_BYTES);
  const output = createEmitter<Uint8Array>();
  return {
    command,
    number,
    done,
    get completion() {
      return completion;
    },
    get durationMs() {
      return (endedAt ?? performance.now()) - startedAt;
    },
    get quietMs() {
      return performance.now() - activeAt;
    },
    get recent() {
      return recent.read();
    },
    onOutput: output.on,
    take: () => capture.take(),
    get before() {
      return before;
    },
    entered,
    enter: () => enter(undefined),
    begun,
    begin(captured) {
      before = captured;
      markBegun(undefined);
    },
    write(bytes) {
      activeAt = performance.now();
      recent.write(bytes);
      capture.write(bytes);
      output.emit(bytes);
    },
    touch() {
      activeAt = performance.now();
    },
    complete(how) {
      if (completion) return;
      endedAt = performance.now();
      completion = how;
      resolve(how);
    },
  };
}
