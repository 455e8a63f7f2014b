import type {
  CausewayError,
  ConfigInput,
  Finding,
  NamedServer,
  ResourceContents,
  ServerConfig,
  ServerView,
} from '../../../src-shared/index.ts';
import type { Tool, ToolSource } from '../../tools/index.ts';
import type { Beside } from './offers/index.ts';
import type { Traffic } from './traffic/traffic.ts';
import type { RunningSignIn } from './auth/index.ts';
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
  /** Reads a resource of a server that is ready. @throws CausewayError `not_found` (no such server), `unavailable`, `protocol`. */
  readResource(server: string, uri: string): Promise<ResourceContents[]>;
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
  /** Ends one until it is started again by hand, or with the next Causeway. One that is off stays off. @throws CausewayError `not_found`. */
  stop(name: string): Promise<ServerView>;
  /** Looks at one server step by step; starts it when it does not run. @throws CausewayError `not_found`. */
  doctor(name: string): Promise<Finding[]>;
  /** Keeps what the person gives for an input of the config file (null forgets it), and starts what waited for it. */
  setInput(id: string, value: string | null): Promise<void>;
  /** What was said between a server and Causeway. @throws CausewayError `not_found`. */
  traffic(name: string): Pick<Traffic, 'read' | 'more'>;
  /** Attaches a server that is in no config file, for this process only (the demo's browser). */
  attach(name: string, config: ServerConfig): Promise<ServerView>;
  /**
   * Begins to sign in to a server, or joins the sign-in that waits: gives where the person signs in, and opens nothing.
   * `done` comes when the person is signed in and the server is ready or has failed.
   * @throws CausewayError
   */
  signIn(name: string): Promise<RunningSignIn>;
  /** Waits for the browser no longer. @throws CausewayError `not_found`. */
  cancelSignIn(name: string): void;
  /** Forgets the sign-in. `revoked` when the authorization server was told and agreed. @throws CausewayError `not_found`. */
  signOut(name: string): Promise<{ revoked: boolean }>;
  /** Resolves when no server is starting any more, or when the deadline has passed. */
  settled(options: { deadlineMs: number; signal?: AbortSignal }): Promise<void>;
  onChange(listener: () => void): Disposable;
  /** Lists the tools of every ready server again: not every server announces a change. Never rejects. */
  relist(): Promise<void>;
  /** What servers offer beside tools. */
  readonly beside: Beside;
}
