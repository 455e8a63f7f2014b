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
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/**
 * Files, as tools may touch them. Paths are absolute. Every failure is a CausewayError: `not_found`, `refused` (permissions),
 * or `io`, naming the path.
 */
export interface FileOperator {
  /** Follows symlinks; null when nothing is there. */
  stat(path: string): Promise<FileStat | null>;
  /** The whole file, or `length` bytes from `offset` (fewer at the end). */
  read(path: string, range?: { offset: number; length: number }): Promise<Uint8Array>;
  /**
   * Replaces or creates a file in one atomic step (temporary file in the same folder, fsync, rename), keeping mode and owner
   * of an existing one and writing through a symlink to its target. Parent folders are created.
   */
  write(path: string, chunks: Uint8Array | readonly Uint8Array[], options?: { mode?: number }): Promise<void>;
  /** Removes a file; nothing happens when it is already gone. */
  remove(path: string): Promise<void>;
  /** The entries of a folder, by name. */
  list(path: string): Promise<DirectoryEntry[]>;
}

export interface TerminalOptions {
  /** Program and arguments; never a shell line made from data. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  columns: number;
  rows: number;
}

/** A program on a pseudo terminal. */
export interface Terminal {
  readonly pid: number;
  /** Raw bytes, as they come. */
  onData(listener: (bytes: Uint8Array) => void): void;
  onExit(listener: (exit: { code: number; signal: number | undefined }) => void): void;
  write(data: string | Uint8Array): void;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  /** Ends the whole process tree; returns when nothing of it is left. */
  kill(): Promise<void>;
}

/**
 * The workspace as tools see it: the only road to files and processes. `local` works directly on this machine; sandboxed and
 * remote operators come behind the same interface.
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
