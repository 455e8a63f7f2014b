import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { TrafficEntry, TrafficKind, TrafficPage } from '../../../../src-shared/index.ts';
import { shortenMessage, sizeOfSmall } from './shorten.ts';

/** Messages of one server that are kept. */
const MOST_ENTRIES = 1_000;
/** Characters of all that is kept. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Messages are looked at in batches, this many milliseconds after the first: that is no work of a call's own way. */
const SETTLE_MS = 150;
/** Messages that wait to be looked at: a flood is, at once, so that it does not pile up. */
const MOST_WAITING = 256;
/** Questions whose answer is awaited; older ones have none any more. */
const MOST_OPEN = 2_000;

/** What went between Causeway and one server: bounded, secrets masked. */
export interface Traffic {
  /** Listens at a transport, before it is started. */
  tap(transport: Transport): void;
  /** A line of stderr, junk on stdout, or something that Causeway itself has to say. */
  line(kind: 'stderr' | 'junk' | 'note', text: string): void;
  /** What nobody may see from now on. */
  setMask(mask: (text: string) => string): void;
  /** Everything after an entry; 0 for all that is kept. */
  read(after: number): TrafficPage;
  /** Resolves when there is something after that entry, or the signal aborts. */
  more(after: number, signal: AbortSignal): Promise<void>;
}

/** Noted on the way. */
interface Noted extends Omit<TrafficEntry, 'text'> {
  message: unknown;
}

/** Kept: small messages as they came, large ones in words already. */
interface Kept extends Noted {
  size: number;
  mask(text: string): string;
}

export function createTraffic(): Traffic {
  let entries: Kept[] = [];
  let characters = 0;
  let waiting: Noted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let mask = (text: string): string => text;
  let seq = 0;
  /** What was asked and is not answered, by who asked. */
  const open = { to: new Map<unknown, Asked>(), from: new Map<unknown, Asked>() };
  const listeners = new Set<() => void>();

  function note(entry: Omit<Noted, 'seq' | 'at'>): void {
    waiting.push({ seq: (seq += 1), at: Date.now(), ...entry });
    if (waiting.length >= MOST_WAITING) settle();
    else timer ??= setTimeout(settle, SETTLE_MS).unref();
    for (const listener of [...listeners]) listener();
  }

  function settle(): void {
    clearTimeout(timer);
    timer = undefined;
    const fresh = waiting;
    waiting = [];
    for (const entry of fresh) {
      const small = sizeOfSmall(entry.message);
      const message = small === undefined ? shortenMessage(entry.message, mask) : entry.message;
      const size = small ?? String(message).length;
      characters += size;
      entries.push({ ...entry, message, size, mask });
    }
    if (entries.length <= MOST_ENTRIES * 2 && characters <= MOST_CHARACTERS) return;
    let first = Math.max(0, entries.length - MOST_ENTRIES);
    for (const gone of entries.slice(0, first)) characters -= gone.size;
    for (; characters > MOST_CHARACTERS; first += 1) characters -= entries[first]?.size ?? 0;
    entries = entries.slice(first);
  }

  function see(direction: 'to' | 'from', message: JSONRPCMessage): void {
    if ('method' in message) {
      const { method } = message;
      if (!('id' in message)) return note({ direction, kind: 'notification', method, message });
      const asked = open[direction];
      asked.set(message.id, { method, at: performance.now() });
      if (asked.size > MOST_OPEN) asked.delete(asked.keys().next().value);
      return note({ direction, kind: 'request', method, id: message.id, message });
    }
    const asked = open[direction === 'to' ? 'from' : 'to'];
    const question = asked.get(message.id);
    asked.delete(message.id);
    const failed: TrafficKind = 'error' in message ? 'error' : 'answer';
    note({
      direction,
      kind: question ? failed : 'unasked',
      message,
      ...(message.id !== undefined && { id: message.id }),
      ...(question && { method: question.method, durationMs: performance.now() - question.at }),
    });
  }

  return {
    tap(transport) {
      open.to.clear();
      open.from.clear();
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        see('to', message);
        return send(message, options);
      };
      // The client sets its listener later. One that calls the listener before it must not make a message count twice.
      let heard = transport.onmessage;
      let inside = false;
      Object.defineProperty(transport, 'onmessage', {
        configurable: true,
        get: () => heard,
        set(listener: Transport['onmessage']) {
          heard = listener && hear(listener);
        },
      });
      function hear(listener: NonNullable<Transport['onmessage']>): NonNullable<Transport['onmessage']> {
        return (message, extra) => {
          if (inside) return listener(message, extra);
          see('from', message);
          inside = true;
          try {
            listener(message, extra);
          } finally {
            inside = false;
          }
        };
      }
    },
    line: (kind, text) => note({ direction: kind === 'note' ? 'none' : 'from', kind, message: text.slice(0, 4_000) }),
    setMask(next) {
      settle();
      mask = next;
    },
    read(after) {
      settle();
      const kept = entries
        .slice(-MOST_ENTRIES)
        .filter((entry) => entry.seq > after)
        .map((entry) => toEntry(entry));
      return { entries: kept, missed: Math.max(0, seq - after - kept.length) };
    },
    async more(after, signal) {
      if (seq > after || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const done = (): void => resolve(undefined);
      listeners.add(done);
      signal.addEventListener('abort', done, { once: true });
      await promise;
      listeners.delete(done);
      signal.removeEventListener('abort', done);
    },
  };
}

function toEntry({ message, mask, size: _size, ...entry }: Kept): TrafficEntry {
  return { ...entry, text: typeof message === 'string' ? mask(message) : shortenMessage(message, mask) };
}

interface Asked {
  method: string;
  at: number;
}
