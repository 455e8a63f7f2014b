import type { CausewayError, ServerConfig, ServerView } from '../../../src-shared/index.ts';
import type { Tool, ToolSource } from '../../tools/index.ts';
import type { TrustDesk } from './trust/index.ts';

/** The attached servers: a source of tools, and a page of states. */
export interface Servers extends ToolSource, AsyncDisposable {
  /** Starts every enabled server of the config in parallel and returns at once. */
  start(): void;
  list(): ServerView[];
  tools(): readonly Tool[];
  /** Why a tool is not offered that its server has; undefined when it is offered, or when no server has it. */
  whyMissing(modelName: string): CausewayError | undefined;
  /** What the person decides about servers and their tools. */
  readonly trust: TrustDesk;
  /** Instructions of ready servers that the person does not keep from models: untrusted text, to be fenced and attributed wherever it goes. */
  instructions(): { server: string; text: string }[];
  /** Writes the config file and starts the server. @throws CausewayError `bad_input`, `conflict` (name taken). */
  add(name: string, config: ServerConfig): Promise<ServerView>;
  /** @throws CausewayError `not_found`. */
  remove(name: string): Promise<void>;
  /** Stops and starts one; resolves when it is ready or failed. @throws CausewayError `not_found`. */
  restart(name: string): Promise<ServerView>;
  /** Attaches a server that is in no config file, for this process only (the demo's browser). */
  attach(name: string, config: ServerConfig): Promise<ServerView>;
  /** Resolves when no server is starting any more, or when the deadline has passed. */
  settled(options: { deadlineMs: number; signal?: AbortSignal }): Promise<void>;
  onChange(listener: () => void): Disposable;
}
