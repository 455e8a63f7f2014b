import type { CausewayError, ServerConfig, ServerTrust, ToolSwitch } from '../../../../src-shared/index.ts';
import type { ToolTrust } from '../../../tools/index.ts';
import type { ServerTool } from '../list-tools.ts';

/** What becomes of one tool of a server. */
export interface Admission {
  key: string;
  /** Undefined when it may be offered; else why it is not, for whoever calls it all the same. */
  refusal: CausewayError | undefined;
  /** It is held back, and the person has not said no to it. */
  waits: boolean;
  /** What the gateway has to heed. */
  trust: ToolTrust;
}

/** A server as it is now: its tools with the names that models know them by, and its instructions. */
export interface SeenServer {
  name: string;
  tools: readonly ServerTool[];
  modelNames: readonly string[];
  instructions: string | undefined;
}

/** What stands between what servers say and what models are given: pinned definitions, switches, flags. */
export interface Trust {
  /** Another number after each decision of the person, also in another program. */
  readonly version: number;
  /** Decisions about this server end with the program: it is in no config file. */
  keepForProcess(server: string): void;
  /** The server of this name is the one of this entry: what was decided about another one of that name is not for it. */
  enter(server: string, config: ServerConfig): void;
  /** The person changed the entry of a server, which stays the same one: what was decided about it holds on. */
  follow(server: string, config: ServerConfig): void;
  /** One admission for each tool, in order. Definitions that are seen first are pinned by this. */
  admit(server: string, tools: readonly ServerTool[]): readonly Admission[];
  /** How many tools of a server wait to be looked at. */
  held(server: string, tools: readonly ServerTool[]): number;
  /** The instructions as a model may be given them; undefined when it may not. */
  instructions(server: string, text: string): string | undefined;
  view(seen: SeenServer): ServerTrust;
  setSwitch(server: string, key: string | undefined, value: ToolSwitch | null): void;
  setHold(server: string, key: string | undefined, value: boolean | null): void;
  setInstructions(server: string, on: boolean): void;
  /** @throws CausewayError `conflict` when the definition is another than the one with this hash. */
  answer(seen: SeenServer, answer: { key: string; hash: string; accept: boolean }): void;
  /** The server is gone: one of the same name is a new one. */
  forget(server: string): void;
  used(server: string): void;
  /** Servers by when they were used last, the newest first. */
  recent(): string[];
}
