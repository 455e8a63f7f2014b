import type { TypedText } from '../../../src-shared/index.ts';

/** Where a shell's output and typing meet a person: the terminal of a session's shell, or of one of its background jobs. */
export interface LiveTerminal {
  /** What runs in it, as it was given. */
  readonly command: string;
  /** Size for a card that draws it. */
  readonly size: { readonly columns: number; readonly rows: number };
  /**
   * Raw bytes that the running command wrote so far, at most the last {@link SNAPSHOT_BYTES}: to be drawn by a terminal emulator
   * that takes a line feed for a whole line break (xterm's `convertEol`), because the terminal's own translation is off.
   */
  snapshot(): Uint8Array;
  /** Raw bytes from now on: take `snapshot()` in the same turn, and nothing is missed or shown twice. */
  onData(listener: (bytes: Uint8Array) => void): Disposable;
  /** The command ended, or its shell; nothing more comes. At once when it has ended already. */
  onEnd(listener: () => void): Disposable;
  /**
   * Types text exactly as given. It goes nowhere else: not to the log and not to the model, who sees only what the terminal
   * echoes. @throws CausewayError `conflict` when the command has ended.
   */
  write(text: string): void;
  /** Tells the running program how large the card is; columns and rows from 1 to 1000. */
  resize(columns: number, rows: number): void;
  /**
   * What happens to what is typed. `hidden` (a password, most likely) also whenever it cannot be found out: then nothing that is
   * typed may be kept or shown anywhere. Costs a small process: ask when somebody types.
   */
  typedText(): Promise<TypedText>;
  /** Ends the command, with Ctrl-C first and then harder, and all its processes; the shell stays. */
  stop(): Promise<void>;
}

/** Bytes of a running command's output that a snapshot holds at most. */
export const SNAPSHOT_BYTES = 256 * 1024;

/** Gives a person the terminals behind the tool. */
export interface LiveTerminals {
  /**
   * The terminal of the command that a session's shell runs, or of a background job by its name. Undefined when nothing runs
   * there: at a bare prompt there is nothing to type into.
   */
  terminal(sessionId: string, job?: string): LiveTerminal | undefined;
}
