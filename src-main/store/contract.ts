import type Database from 'better-sqlite3';
import type {
  BlobRef,
  EventBody,
  RunOutcome,
  SessionEvent,
  SessionOrigin,
  SessionState,
  SessionSummary,
  Settings,
  StoredResult,
  ToolResult,
} from '../../src-shared/index.ts';
import type { SecretKey } from './secret-key.ts';

/** Sessions: what a person sees at the left. */
export interface SessionStore {
  create(session: { title: string; workspace: string; origin: SessionOrigin }): SessionSummary;
  /** @throws CausewayError `not_found`. */
  get(id: string): SessionSummary;
  find(id: string): SessionSummary | undefined;
  /** Most recently used first. */
  list(): SessionSummary[];
  update(id: string, change: { title?: string; state?: SessionState; lastOutcome?: RunOutcome }): SessionSummary;
  onChange(listener: (session: SessionSummary) => void): Disposable;
  /** Sessions that were running when the program died become `interrupted`. Call once at start, in the process that owns the runs. */
  markInterrupted(): SessionSummary[];
}

/** The append-only log. An event is committed before anybody hears of it. */
export interface EventLog {
  append(sessionId: string, body: EventBody): SessionEvent;
  /** Oldest first. */
  read(sessionId: string, afterSeq?: number): SessionEvent[];
  on(listener: (event: SessionEvent) => void): Disposable;
}

/** Bytes addressed by their SHA-256, kept as files; written atomically, never changed. */
export interface ByteStore {
  put(bytes: Uint8Array): BlobRef;
  /** @throws CausewayError `not_found`. */
  read(sha256: string): Uint8Array;
  /** `changedAt`: when it was stored last, in milliseconds. */
  list(): { sha256: string; size: number; changedAt: number }[];
  /** Nothing happens when it is gone already, or, with `since`, when it was stored once more after that. Gives whether it was removed. */
  remove(sha256: string, since?: number): boolean;
}

/** What the log needs beside itself: pictures and sounds. */
export interface BlobStore extends Pick<ByteStore, 'put' | 'read'> {
  /** Replaces media by references, for the event log. */
  storeResult(result: ToolResult): StoredResult;
  /** Puts the media back in. */
  loadResult(result: StoredResult): ToolResult;
}

/**
 * A long output on its way to disk. Of a huge one only the beginning is kept, and so it is when the disk takes no more: what is
 * shown of an output never depends on keeping the whole, so nothing here throws.
 */
export interface OutputWriter {
  /** Names it for `output.page` and for the model. */
  readonly handle: string;
  readonly totalBytes: number;
  /** Why not everything is kept; undefined while it is. */
  readonly problem: string | undefined;
  /** Several chunks cost no more than one. */
  write(bytes: Uint8Array | readonly Uint8Array[]): void;
  close(): void;
}

/** Whole outputs of tools, of which results show head and tail: in the data folder, 30 days long, the newest 4 GB. */
export interface OutputStore {
  create(): OutputWriter;
  /** @throws CausewayError `not_found`. */
  read(handle: string, offset: number, length: number): { text: string; offset: number; totalBytes: number };
  /** The same as bytes. */
  readBytes(handle: string, offset: number, length: number): { bytes: Uint8Array; offset: number; totalBytes: number };
  /** Removes what is too old or too much. Happens by itself now and then. */
  prune(): Promise<void>;
}

export interface SettingsStore {
  get(): Settings;
  /** @throws CausewayError `bad_input`. */
  set(settings: Settings): Settings;
  onChange(listener: (settings: Settings) => void): Disposable;
}

/** Secrets by name, encrypted at rest. */
export interface SecretStore {
  /** @throws CausewayError `unavailable` when the keychain does not give the key. */
  get(name: string): string | undefined;
  /** @throws as `get`. */
  set(name: string, value: string | null): void;
}

/** Everything Causeway keeps, in one folder. */
export interface Store extends Disposable {
  readonly home: string;
  readonly db: Database.Database;
  readonly sessions: SessionStore;
  readonly events: EventLog;
  readonly blobs: BlobStore;
  /** Parts of files that the edit history needs. */
  readonly fileBytes: ByteStore;
  readonly outputs: OutputStore;
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  /** What they are encrypted with. */
  readonly secretKey: Pick<SecretKey, 'place' | 'problem' | 'ready'>;
}
