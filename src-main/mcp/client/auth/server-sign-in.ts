import {
  CausewayError,
  describeError,
  type ServerConfig,
  type ServerState,
  type SignInState,
} from '../../../../src-shared/index.ts';
import { withDeadline } from '../deadline.ts';
import { isStdio } from '../target.ts';
import { createAuthorizer, type Authorizer, type AuthorizerParts, type RunningSignIn } from './authorizer.ts';
import { SignInNeeded } from './words.ts';

/** The attached server that is signed in to, as this side needs it. */
export interface SignInHost {
  readonly state: ServerState;
  /** Why it is in this state. */
  readonly message: string | undefined;
  /** Ends when the current start of it is over. */
  readonly signal: AbortSignal | undefined;
  change(state: ServerState, why: string | undefined): void;
  start(): Promise<void>;
  /** Ends the connection; resolves when nothing of it is left. */
  end(): Promise<void>;
}

/** What signing in means to one attached server: its state, its calls, and the person's buttons. */
export interface ServerSignIn {
  /** For the connection. @throws CausewayError `bad_input` when the entry can not be understood. */
  authorizer(): Authorizer | undefined;
  readonly state: SignInState | undefined;
  /** What a signed-in person was refused for want of permissions. */
  readonly more: string | undefined;
  /** A start failed: true when that was for want of a sign-in, and is told. */
  startFailed(error: unknown): boolean;
  /** A call failed: what to tell, when that was for want of a sign-in or of permissions. */
  callFailed(error: unknown, stillReady: boolean): SignInNeeded | undefined;
  /** Before a call: waits for a person who is signing in, and for the start after it. @throws SignInNeeded when nobody is. */
  beforeCall(signal: AbortSignal, waitMs: number): Promise<void>;
  signIn(): Promise<RunningSignIn>;
  cancelSignIn(): void;
  signOut(): Promise<{ revoked: boolean }>;
  /** Forgets what is kept of a server that is removed. Never rejects. */
  forget(): Promise<void>;
}

export function createServerSignIn(
  { name, config }: { name: string; config: ServerConfig },
  parts: AuthorizerParts,
  host: SignInHost,
): ServerSignIn {
  let made: Authorizer | undefined;

  /** Made with the first connection: what is wrong with the entry is then a reason for failing. */
  function authorizer(): Authorizer | undefined {
    if (isStdio(config)) return undefined;
    return (made ??= createAuthorizer({ name, config }, parts));
  }

  function authorizerOrRefuse(): Authorizer {
    const found = authorizer();
    if (found) return found;
    throw new CausewayError('bad_input', `Nobody signs in to the server "${name}": its entry says how it is reached.`);
  }

  function need(why: string): void {
    host.change('needs-sign-in', why);
    if (!made || !host.signal) return;
    void made.signedInElsewhere(host.signal).then(
      (elsewhere) => (elsewhere && host.state === 'needs-sign-in' ? host.start() : undefined),
      () => undefined,
    );
  }

  /** Whoever is at the browser has left the page where they began. */
  function tellWhyNot(error: unknown): void {
    if (host.state === 'needs-sign-in' || host.state === 'ready') {
      host.change(host.state, [made?.needed, describeError(error)].filter(Boolean).join(' '));
    }
  }

  return {
    authorizer,
    get state() {
      return made?.state;
    },
    get more() {
      return made?.more;
    },
    startFailed(error) {
      const missing = made?.missing(error);
      if (missing === undefined) return false;
      need(missing);
      return true;
    },
    callFailed(error, stillReady) {
      const missing = made?.missing(error);
      if (missing === undefined) return undefined;
      if (stillReady && made?.needed !== undefined) need(missing);
      return new SignInNeeded(`The server "${name}" did not do it. ${missing}`);
    },
    async beforeCall(signal, waitMs) {
      const wait = (work: Promise<unknown>): Promise<unknown> =>
        withDeadline(work, { ms: waitMs, signal }).catch(() => undefined);
      if (host.state === 'needs-sign-in' && made?.state === 'waiting') await wait(made.settled);
      // Signed in by now, and on its way.
      const coming = host.state === 'starting' || host.state === 'needs-sign-in';
      if (made?.state === 'done' && coming) await wait(host.start());
      if (host.state !== 'needs-sign-in') return;
      throw new SignInNeeded(`The server "${name}" can not be used yet. ${host.message ?? ''}`.trim());
    },
    async signIn() {
      const { url, done } = await authorizerOrRefuse().signIn();
      const begun = done.then(() => (host.state === 'ready' ? undefined : host.start()));
      begun.catch(tellWhyNot);
      return { url, done: begun };
    },
    cancelSignIn: () => made?.cancel(),
    async signOut() {
      const { revoked } = await authorizerOrRefuse().signOut();
      const ended = host.end();
      host.change('needs-sign-in', made?.needed);
      await ended;
      return { revoked };
    },
    async forget() {
      try {
        await authorizer()?.signOut();
      } catch {
        // An entry that can not be understood has nothing kept, and a secret that can not be removed is of no use alone.
      }
    },
  };
}
