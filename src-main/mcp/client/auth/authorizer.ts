import { setTimeout as delay } from 'node:timers/promises';
import {
  computeScopeUnion,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  OAuthError,
  OAuthErrorCode,
  type AuthProvider,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { CausewayError, type HttpServerConfig, type SignInState } from '../../../../src-shared/index.ts';
import type { SecretStore } from '../../../store/index.ts';
import { httpStatus } from '../failure.ts';
import type { Limits } from '../limits.ts';
import { createCarefulFetch } from './careful-fetch.ts';
import type { Challenge } from './discover.ts';
import { endsSoon, hasEnded, renewGrant, revokeGrant } from './grant.ts';
import { signInAsClient } from './machine.ts';
import { readSignInSettings } from './settings.ts';
import { beginSignIn } from './sign-in.ts';
import { openVault, type Grant } from './vault.ts';
import { explainSignIn, isTrouble, quote, SignInNeeded } from './words.ts';

/** What could not be renewed in time is tried again after this, in milliseconds, while the old token is good. */
const RENEW_AGAIN_MS = 10_000;
/** How often it is looked whether the person has signed in in another Causeway, in milliseconds. */
const ELSEWHERE_MS = 1_000;
/** Telling an authorization server that a sign-in is over may take this long, in milliseconds. */
const REVOKE_MS = 5_000;

export interface AuthorizerParts {
  /** Replaces references (`${env:X}`) in what the entry says. @throws CausewayError `bad_input`. */
  expand(text: string): string;
  secrets: SecretStore;
  runDir: string;
  limits: Pick<Limits, 'signInMs' | 'signInAnswerMs'>;
  /** Where our client metadata document is published, unless the entry says otherwise. */
  clientMetadataUrl: string | undefined;
  onChange(): void;
}

/** A sign-in that waits for the person in the browser. */
export interface RunningSignIn {
  readonly url: string;
  /** Resolves when the person is signed in. @throws CausewayError */
  readonly done: Promise<void>;
}

/** Everything about signing in to one server over HTTP. It opens no browser and starts no sign-in by itself. */
export interface Authorizer {
  /** For the transports: the token of each request, renewed when needed. */
  readonly provider: AuthProvider;
  /** Sees what the server refuses, on its way to the transports. */
  watch(fetchFn: FetchLike): FetchLike;
  /** Why the person has to sign in before the server can be used; undefined when nothing is known to be missing. */
  readonly needed: string | undefined;
  /** Why an error of the transports means that the person has to sign in; undefined when it means something else. */
  missing(error: unknown): string | undefined;
  /** What a signed-in person was refused for want of permissions, in a sentence. */
  readonly more: string | undefined;
  readonly state: SignInState | undefined;
  /** Resolves when no sign-in waits any more; never rejects. */
  readonly settled: Promise<unknown>;
  /** Begins to sign in, or joins the one that waits. @throws CausewayError */
  signIn(): Promise<RunningSignIn>;
  cancel(): void;
  /** Resolves when the person has signed in: true when that was in another Causeway on the same data folder. */
  signedInElsewhere(signal: AbortSignal): Promise<boolean>;
  /** Forgets the sign-in, and tells the authorization server when it can be told. */
  signOut(): Promise<{ revoked: boolean }>;
}

/**
 * @returns undefined when the entry brings its own Authorization header, or wants no signing in.
 * @throws CausewayError `bad_input` when the entry can not be understood.
 */
export function createAuthorizer(
  { name, config }: { name: string; config: HttpServerConfig },
  parts: AuthorizerParts,
): Authorizer | undefined {
  const written = readSignInSettings(config, parts.expand);
  if (!written) return undefined;
  const { clientMetadataUrl, limits } = parts;
  const settings = { ...(clientMetadataUrl !== undefined && { clientMetadataUrl }), ...written };
  const server = new URL(parts.expand(config.url));
  const vault = openVault({ name, url: server }, parts);
  /** The token that went with a request that was refused. */
  const refused = new WeakMap<Response, string>();
  let grant = settings.machine ? undefined : vault.read();
  let challenge: Challenge = {};
  let needed: string | undefined;
  let more: string | undefined;
  let renewing: Promise<void> | undefined;
  /** Trouble of an authorization server holds up no more calls than one now and then. */
  let renewAgainAt = 0;
  let flow: { stop: AbortController; begun: Promise<RunningSignIn>; waiting: boolean } | undefined;
  let settled: Promise<unknown> = Promise.resolve();

  function carefully(signal?: AbortSignal): FetchLike {
    return createCarefulFetch(server, { answerMs: limits.signInAnswerMs, signal });
  }

  function need(sentence: string): SignInNeeded {
    needed = sentence;
    return new SignInNeeded(sentence);
  }

  /** For all who wait at once. @throws CausewayError */
  function renew(stale: string | undefined): Promise<void> {
    return (renewing ??= (settings.machine ? renewAsClient() : renewForPerson(stale)).finally(() => {
      renewing = undefined;
    }));
  }

  async function renewAsClient(): Promise<void> {
    try {
      grant = await signInAsClient({ server, settings, challenge, former: grant, fetchFn: carefully() });
    } catch (error) {
      throw explainSignIn(error);
    }
  }

  async function renewForPerson(stale: string | undefined): Promise<void> {
    await vault.whileAlone(async () => {
      const stored = vault.read();
      const known = stored?.tokens?.access_token;
      if (stored && known !== undefined && known !== stale && !endsSoon(stored)) {
        // Another Causeway has renewed it, or the person signed in there.
        grant = stored;
        needed = undefined;
        return;
      }
      if (!stored?.tokens) {
        const had = grant?.tokens !== undefined;
        grant = stored;
        throw need(had ? 'You are signed out of it.' : 'It wants you to sign in.');
      }
      grant = (await renewStored(stored)) ?? stored;
      if (grant === stored) throw need('The sign-in has ended.');
      await vault.write(grant);
      needed = undefined;
    });
  }

  async function renewStored(stored: Grant): Promise<Grant | undefined> {
    try {
      return await renewGrant(stored, { settings, fetchFn: carefully() });
    } catch (error) {
      if (!(error instanceof OAuthError) || isTrouble(error)) throw explainSignIn(error);
      // It was revoked, or the client is not known any more: nothing of it is of use.
      const { tokens: _tokens, expiresAt: _expiresAt, ...rest } = stored;
      const { client: _client, ...clientless } = rest;
      grant = error.code === OAuthErrorCode.InvalidGrant ? rest : clientless;
      await vault.write(grant);
      throw need('The sign-in has ended: it was revoked or is too old.');
    }
  }

  async function token(): Promise<string | undefined> {
    if (grant?.tokens && endsSoon(grant) && (settings.machine || grant.tokens.refresh_token !== undefined)) {
      const good = !hasEnded(grant);
      try {
        if (!good || Date.now() >= renewAgainAt) await renew(grant.tokens.access_token);
      } catch (error) {
        // What is still good is used as long as it is.
        if (error instanceof SignInNeeded || !good) throw error;
        renewAgainAt = Date.now() + RENEW_AGAIN_MS;
      }
    }
    return grant?.tokens?.access_token;
  }

  async function onUnauthorized(response: Response): Promise<void> {
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    challenge = { scope, resourceMetadataUrl };
    const sent = refused.get(response);
    const current = grant?.tokens?.access_token;
    // Another request was refused before, and the token renewed since.
    if (current !== undefined && sent !== undefined && sent !== current) return;
    await renew(sent);
  }

  /** A refusal for want of permissions leaves what the person is signed in to as it is. */
  function onForbidden(response: Response): void {
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') return;
    challenge = { scope: computeScopeUnion(challenge.scope, scope), resourceMetadataUrl };
    const wanted = scope === undefined ? '.' : `: ${quote(scope)}.`;
    more = `It wants more permissions for what it was asked to do${wanted}`;
    parts.onChange();
  }

  async function begin(stop: AbortController): Promise<RunningSignIn> {
    const former = vault.read();
    const deadline = AbortSignal.timeout(limits.signInMs);
    const signal = AbortSignal.any([stop.signal, deadline]);
    const scope = computeScopeUnion(settings.scope, more && former?.tokens?.scope, challenge.scope);
    try {
      const fetchFn = carefully(signal);
      const { url, done } = await beginSignIn({ server, settings, former, challenge, scope, fetchFn, signal });
      return { url, done: keep(done) };
    } catch (error) {
      throw stopped(deadline, stop.signal) ?? explainSignIn(error);
    }

    async function keep(done: Promise<Grant>): Promise<void> {
      try {
        const next = await done;
        await vault.write(next);
        grant = next;
        [needed, more] = [undefined, undefined];
      } catch (error) {
        // An authorization server that has forgotten our registration tells nobody but the browser: the next try is a new one.
        if (former?.client && !former.tokens) await vault.write(undefined);
        throw stopped(deadline, stop.signal) ?? explainSignIn(error);
      }
    }
  }

  function stopped(deadline: AbortSignal, stop: AbortSignal): CausewayError | undefined {
    if (stop.aborted) return new CausewayError('cancelled', 'Signing in was stopped.');
    if (!deadline.aborted) return undefined;
    const minutes = Math.round(limits.signInMs / 60_000);
    return new CausewayError('timeout', `Nobody signed in within ${minutes} minutes.`, { hint: 'Try again.' });
  }

  return {
    provider: { token, onUnauthorized: ({ response }) => onUnauthorized(response) },
    watch: (fetchFn) => async (url, init) => {
      const response = await fetchFn(url, init);
      if (response.status === 401) {
        const sent = new Headers(init?.headers).get('authorization')?.replace(/^Bearer /, '');
        if (sent !== undefined) refused.set(response, sent);
      }
      if (response.status === 403) onForbidden(response);
      return response;
    },
    get needed() {
      return needed;
    },
    missing(error) {
      if (needed !== undefined && error instanceof SignInNeeded) return needed;
      if (more !== undefined && isForbidden(error)) return more;
      if (settings.machine || httpStatus(error) !== 401) return undefined;
      return (needed ??= 'It does not accept the sign-in any more.');
    },
    get more() {
      return more;
    },
    get state() {
      if (flow?.waiting) return 'waiting';
      if (needed !== undefined) return 'needed';
      if (more !== undefined) return 'more';
      return grant?.tokens ? 'done' : undefined;
    },
    get settled() {
      return settled;
    },
    signIn() {
      if (settings.machine) {
        throw new CausewayError('bad_input', 'It signs in by itself, with the client of its config entry.');
      }
      if (flow) return flow.begun;
      const stop = new AbortController();
      const current = { stop, begun: begin(stop), waiting: true };
      flow = current;
      settled = current.begun
        .then(({ done }) => done)
        .catch(() => undefined)
        .finally(() => {
          flow = undefined;
          parts.onChange();
        });
      parts.onChange();
      return current.begun;
    },
    async signedInElsewhere(signal) {
      for (;;) {
        // A timer that lets the program end.
        await delay(ELSEWHERE_MS, undefined, { ref: false, signal });
        if (needed === undefined) return false;
        const stored = vault.read();
        if (stored?.tokens && stored.tokens.access_token !== grant?.tokens?.access_token) {
          grant = stored;
          needed = undefined;
          return true;
        }
      }
    },
    cancel() {
      flow?.stop.abort();
    },
    async signOut() {
      flow?.stop.abort();
      const former = vault.read();
      await vault.write(undefined);
      grant = undefined;
      needed = 'You are signed out of it.';
      more = undefined;
      const fetchFn = carefully(AbortSignal.timeout(REVOKE_MS));
      return { revoked: former !== undefined && (await revokeGrant(former, { settings, fetchFn })) };
    },
  };
}

/** The transport for SSE says it in words only. */
function isForbidden(error: unknown): boolean {
  if (error instanceof InsufficientScopeError || httpStatus(error) === 403) return true;
  return error instanceof Error && error.message.includes('(HTTP 403)');
}
