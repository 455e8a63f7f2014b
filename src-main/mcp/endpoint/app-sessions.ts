import { CausewayError } from '../../../src-shared/index.ts';
import type { AppIdentity, AppSession } from './contract.ts';

/** How long an app's session stays open with nobody using it, in milliseconds: an app that reconnects finds its shell again. */
const LINGER_MS = 10 * 60_000;
/** Calls of one app that may run at the same time. */
const MAX_CALLS = 256;

/** A session in use; disposing it ends the use. */
export interface HeldSession extends Disposable {
  readonly sessionId: string;
}

/** The sessions of all apps that are or were just here. Disposing it closes them. */
export interface AppSessions extends Disposable {
  /** Keeps an app's session open for a connection. */
  hold(app: AppIdentity): HeldSession;
  /** Keeps it open for one call. @throws CausewayError `unavailable` when the app has too many calls running. */
  startCall(app: AppIdentity): HeldSession;
}

interface Entry {
  readonly session: AppSession;
  users: number;
  calls: number;
  closing: NodeJS.Timeout | undefined;
}

export function createAppSessions(openSession: (app: AppIdentity) => AppSession): AppSessions {
  const entries = new Map<string, Entry>();

  function entryOf(app: AppIdentity): Entry {
    const known = entries.get(app.id);
    if (known) return known;
    const entry: Entry = { session: openSession(app), users: 0, calls: 0, closing: undefined };
    entries.set(app.id, entry);
    return entry;
  }

  function use(app: AppIdentity, entry: Entry, onEnd: () => void): HeldSession {
    clearTimeout(entry.closing);
    entry.users += 1;
    let ended = false;
    return {
      sessionId: entry.session.sessionId,
      [Symbol.dispose]() {
        if (ended) return;
        ended = true;
        onEnd();
        entry.users -= 1;
        if (entry.users === 0 && entries.get(app.id) === entry) linger(app, entry);
      },
    };
  }

  function linger(app: AppIdentity, entry: Entry): void {
    entry.closing = setTimeout(() => {
      entries.delete(app.id);
      entry.session.close();
    }, LINGER_MS);
    entry.closing.unref();
  }

  return {
    hold: (app) => use(app, entryOf(app), () => undefined),
    startCall(app) {
      const entry = entryOf(app);
      if (entry.calls >= MAX_CALLS) {
        throw new CausewayError('unavailable', `"${app.name}" already has ${MAX_CALLS} calls running.`, {
          hint: 'Wait for some of them to end, then try again.',
        });
      }
      entry.calls += 1;
      return use(app, entry, () => (entry.calls -= 1));
    },
    [Symbol.dispose]() {
      for (const entry of entries.values()) {
        clearTimeout(entry.closing);
        entry.session.close();
      }
      entries.clear();
    },
  };
}
