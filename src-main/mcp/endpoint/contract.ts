import type { Implementation, Server } from '@modelcontextprotocol/server';
import type { Gateway, Tool, ToolSource } from '../../tools/index.ts';

/**
 * Another app that uses Causeway's tools. `id` joins the way it came in (stdio, or whose token) with the name it gave
 * itself; the name is a claim, never proof.
 */
export interface AppIdentity {
  readonly id: string;
  readonly name: string;
}

/** Where an app's calls are logged and its shell and Python live. */
export interface AppSession {
  readonly sessionId: string;
  close(): void;
}

export interface EndpointParts {
  source: ToolSource & { find?(name: string): Tool | undefined };
  gateway: Gateway;
  /** Why a tool is not served that others may know: it is held back, or switched off. */
  whyMissing?: (name: string) => Error | undefined;
  /** Tells when `source` may give other tools than before; saying it too often does no harm. */
  onToolsChanged: (listener: () => void) => Disposable;
  /** How Causeway introduces itself. */
  serverInfo: Implementation;
  /** Called at an app's first tool call, once for all its connections; closed some time after the last. */
  openSession: (app: AppIdentity) => AppSession;
  /** Which tools other apps may see; all but Causeway's own `terminate` when not given. */
  serves?: (tool: Tool) => boolean;
}

/** One way in for one app. */
export interface Connection {
  /** `stdio`, or who the token belongs to: the part of an app's identity that it cannot choose. */
  readonly via: string;
  /** `legacy`: 2025-11-25 and older, opened by `initialize`. `modern`: 2026-07-28, every request introduces itself. */
  readonly era: 'legacy' | 'modern';
  /** `request`: serves a single request (2026-07-28 over HTTP). `connection`: stays, and hears of changed tools. */
  readonly lasts: 'connection' | 'request';
}

/** What Causeway serves to other apps, apart from any transport. Disposing it closes the apps' sessions. */
export interface Endpoint extends Disposable {
  /** An SDK server for one connection, not yet connected. It lets go of everything when it is closed. */
  open(connection: Connection): Server;
  /** Fires when the served tools are others than before, for transports that tell it themselves. */
  onToolsChanged(listener: () => void): Disposable;
}

/**
 * Finds out whose token it is: gives the principal (a stable word for logs and identities), or undefined for a wrong token.
 * Must compare in constant time.
 */
export type Authenticate = (token: string) => string | undefined;
