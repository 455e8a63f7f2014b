import type { ConfigInput, NamedServer, ServerConfig, ServerView } from '../../../src-shared/index.ts';
import type { Tool, ToolSource } from '../../tools/index.ts';

/** The attached servers: a source of tools, and a page of states. */
export interface Servers extends ToolSource, AsyncDisposable {
  /** Starts every enabled server of the config in parallel and returns at once. */
  start(): void;
  list(): ServerView[];
  tools(): readonly Tool[];
  /** Instructions of ready servers: untrusted text, to be fenced and attributed wherever it goes. */
  instructions(): { server: string; text: string }[];
  /** Writes the config file and starts the server. @throws CausewayError `bad_input`, `conflict` (name taken). */
  add(name: string, config: ServerConfig): Promise<ServerView>;
  /** @throws CausewayError `not_found`. */
  remove(name: string): Promise<void>;
  /** Every server of the config file and those that come with Causeway, secrets included: not for windows. */
  entries(): NamedServer[];
  /** Writes all into the config file, or none, and starts them. @throws CausewayError `bad_input`, `conflict`. */
  addAll(servers: readonly NamedServer[], inputs?: readonly ConfigInput[]): Promise<ServerView[]>;
  /** The entry of the config file, with what looks like a secret in env and headers replaced by {@link KEPT_SECRET}. */
  configOf(name: string): ServerConfig;
  /** Changes the entry and starts it anew; values that are {@link KEPT_SECRET} stay as they were. @throws CausewayError. */
  update(name: string, config: ServerConfig): Promise<ServerView>;
  /** @throws CausewayError `conflict` when the new name is taken, `not_found`. */
  rename(name: string, to: string): Promise<ServerView>;
  /** Switches it on or off in the config file, for good. @throws CausewayError. */
  enable(name: string, on: boolean): Promise<ServerView>;
  /** Stops and starts one; resolves when it is ready or failed. @throws CausewayError `not_found`. */
  restart(name: string): Promise<ServerView>;
  /** Attaches a server that is in no config file, for this process only (the demo's browser). */
  attach(name: string, config: ServerConfig): Promise<ServerView>;
  /** Resolves when no server is starting any more, or when the deadline has passed. */
  settled(options: { deadlineMs: number; signal?: AbortSignal }): Promise<void>;
  onChange(listener: () => void): Disposable;
}
