import type { TypedText } from '../../src-shared/index.ts';
import type { TerminalSandbox } from '../sandbox/index.ts';

/** Where a path leads. */
export interface Location {
  /** Absolute, `.` and `..` resolved, symlinks not. */
  readonly absolute: string;
  /** Absolute with every symlink resolved, for as much of the path as exists. */
  readonly real: string;
  /** True when `real` is the workspace or inside it. */
  readonly inside: boolean;
}

export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

export interface FileStat {
  readonly kind: FileKind;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, as in chmod. */
  readonly mode: number;
  readonly mtimeMs: number;
  /** Another one after every change of the file, as far as the clock of its file system can tell two changes apart. */
  readonly stamp: string;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export interface WriteOptions {
  /** Permission bits: exactly these, for an existing file too. */
  mode?: number;
  /** False: a symlink is replaced by a file instead of being written through, and one on the way is refused (`conflict`). */
  follow?: boolean;
  /** False: the caller writes many files, and makes their folders last through a power cut itself, with `syncFolder`. */
  syncFolder?: boolean;
  /** Only if nothing suggests that the path was touched since `stat` said this of it, with the same `follow`. */
  ifStill?: FileStat | null;
}

/**
 * Files, as tools may touch them. Paths are absolute. Every failure is a CausewayError that names the path: `not_found`,
 * `refused` (permissions), `bad_input` (a folder where a file is needed, a name that can't be), or `io`.
 */
export interface FileOperator {
  /**
   * Where a path really leads, also when its end does not exist yet: every symlink is followed as far as there is one, a dangling
   * one too, because a write would follow it.
   */
  realPath(path: string): Promise<string>;
  /** Follows symlinks, unless `follow` is false; null when nothing is there, then also where one is on the way. */
  stat(path: string, options?: { follow?: boolean }): Promise<FileStat | null>;
  /** What is at a path itself, links not followed: a look at it, and the bytes of a file, or where a symlink leads; others have none. */
  entry(path: string): Promise<{ stat: FileStat; bytes: Uint8Array } | null>;
  /** The whole file, or `length` bytes from `offset` (fewer at the end). */
  read(path: string, range?: { offset: number; length: number }): Promise<Uint8Array>;
  /** True when there is a file and it holds exactly these bytes. Never makes a second copy of a large one. */
  holds(path: string, expected: Uint8Array): Promise<boolean>;
  /**
   * Replaces or creates a file in one atomic step (temporary file in the same folder, fsync, rename), keeping mode, owner,
   * extended attributes and access lists of an existing one (the last two on Linux with GNU cp), and writing through a symlink to its target. Parent folders are created. A file with hard links is
   * written in place, so that all its names stay one file; a complete copy beside it makes good for a crash in the middle.
   * False when `ifStill` did not let it: then nothing was done.
   */
  write(path: string, chunks: Uint8Array | readonly Uint8Array[], options?: WriteOptions): Promise<boolean>;
  /** Removes a file or a symlink; nothing happens when it is already gone. */
  remove(path: string, options?: { syncFolder?: boolean }): Promise<void>;
  /** Makes what was written in a folder, or removed from it, last through a power cut. */
  syncFolder(folder: string): Promise<void>;
  /** Permission bits, as in chmod; of a symlink those of what it leads to. */
  setMode(path: string, mode: number): Promise<void>;
  /** Where a symlink leads, as it stands in it: any bytes. */
  readLink(path: string): Promise<Uint8Array>;
  /**
   * Makes a symlink, in one atomic step also in the place of a file or another symlink. Parent folders are created; a symlink on
   * the way is refused (`conflict`).
   */
  makeLink(path: string, target: Uint8Array): Promise<void>;
  /** Makes a folder, with its parents; one that is there gets the mode, if one is given. A symlink on the way is refused. */
  makeFolder(path: string, options?: { mode?: number }): Promise<void>;
  /** Removes an empty folder. False when it is not empty; nothing happens when it is already gone. */
  removeFolder(path: string): Promise<boolean>;
  /** The entries of a folder, by name. */
  list(path: string): Promise<DirectoryEntry[]>;
  /**
   * After a crash in the middle of a `write` of this path: removes the temporary files it left, and completes a write in place.
   * Only for when nobody is writing the path.
   */
  settle(path: string): Promise<void>;
}

export interface TerminalOptions {
  /** Program and arguments; never a shell line made from data. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  columns: number;
  rows: number;
  /** The sandbox to run it in, and a private folder for what its launch needs. Without it the program has the person's rights. */
  sandbox?: { enclosure: TerminalSandbox; folder: string };
}

/** Who has a terminal at the moment. */
export interface Foreground {
  readonly pid: number;
  /** Its command line, shortened. */
  readonly command: string;
  /** True when it is the program that the terminal was opened with, and nothing else. */
  readonly own: boolean;
  /** Whether it waits for typing: `maybe` when it waits for other things too, `unknown` when the system hides it. */
  readonly reads: 'yes' | 'maybe' | 'no' | 'unknown';
}

/** A program on a pseudo terminal. */
export interface Terminal {
  readonly pid: number;
  /** Raw bytes, as they come. */
  onData(listener: (bytes: Uint8Array) => void): void;
  onExit(listener: (exit: { code: number; signal: number | undefined }) => void): void;
  write(data: string | Uint8Array): void;
  /** Costs a small process. `hidden` when it cannot be found out. */
  typedText(): Promise<TypedText>;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** What runs in the foreground; undefined when that cannot be found out here. A look through /proc: milliseconds. */
  foreground(): Foreground | undefined;
  /**
   * Signals what runs in the foreground, but never the program the terminal was opened with; SIGKILL reaches all its
   * descendants too. False when there was nothing.
   */
  signalForeground(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): boolean;
  /** Ends the whole process tree; returns when nothing of it is left. */
  kill(): Promise<void>;
}

/**
 * The workspace as tools see it: the only road to files and processes. `local` works directly on this machine; `sandboxed` has
 * its files in a sandbox that shows only the workspace.
 */
export interface Operator {
  readonly kind: 'local' | 'sandboxed';
  /** Absolute, symlinks resolved. */
  readonly workspace: string;
  readonly files: FileOperator;
  /** Resolves a path a model gave: absolute, or relative to the workspace. */
  locate(path: string): Promise<Location>;
  openTerminal(options: TerminalOptions): Terminal;
}
