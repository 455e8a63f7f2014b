import { describeError, type MessageDelta, type SessionEvent } from '../../src-shared/index.ts';
import type { Rpc } from '../rpc/client.ts';
import { applyDeltas, applyEvents, emptyTimeline, type Timeline } from '../timeline/timeline.ts';

/** An open session: its timeline, kept up to date until closed. */
export interface SessionView {
  readonly id: string;
  readonly timeline: Timeline;
  /** The log itself, for the raw view. */
  readonly events: readonly SessionEvent[];
  readonly loading: boolean;
  readonly error: string | undefined;
  readonly retry: () => void;
  readonly close: () => void;
}

/** What arrived is shown at most once a frame, however fast it comes. */
function nextFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, 250);
  else requestAnimationFrame(work);
}

type Arrival = SessionEvent | MessageDelta;

/** In the order of arrival, neighbours of a kind together: text must not overtake the events before it. */
function applyArrivals(timeline: Timeline, arrivals: readonly Arrival[]): Timeline {
  let next = timeline;
  let at = 0;
  while (at < arrivals.length) {
    const events: SessionEvent[] = [];
    const deltas: MessageDelta[] = [];
    for (let entry = arrivals[at]; entry && 'seq' in entry; entry = arrivals[(at += 1)]) events.push(entry);
    for (let entry = arrivals[at]; entry && !('seq' in entry); entry = arrivals[(at += 1)]) deltas.push(entry);
    next = applyDeltas(applyEvents(next, events), deltas, Date.now());
  }
  return next;
}

/** Opens a session and follows it. After a broken connection it asks for what came since. */
export function watchSession(rpc: Rpc, id: string): SessionView {
  let timeline = $state.raw<Timeline>(emptyTimeline);
  let events = $state.raw<readonly SessionEvent[]>([]);
  let loading = $state(true);
  let error = $state<string>();
  let closed = false;
  let caughtUp = false;
  let scheduled = false;
  let arrived: Arrival[] = [];

  function schedule(): void {
    if (scheduled || !caughtUp) return;
    scheduled = true;
    nextFrame(() => {
      scheduled = false;
      if (!closed) flush();
    });
  }

  function flush(): void {
    const before = timeline.lastSeq;
    const fresh = arrived.filter((arrival) => 'seq' in arrival).filter(({ seq }) => seq > before);
    timeline = applyArrivals(timeline, arrived);
    if (fresh.length > 0) events = [...events, ...fresh];
    arrived = [];
  }

  /** Pushes may overtake the answer: they wait until it is there. */
  async function catchUp(): Promise<void> {
    caughtUp = false;
    try {
      const missed = await rpc.call('session.watch', { sessionId: id, afterSeq: timeline.lastSeq });
      if (closed) return;
      arrived = [...missed, ...arrived];
      error = undefined;
    } catch (failed) {
      error = describeError(failed);
    }
    caughtUp = true;
    loading = false;
    flush();
  }

  const endPush = rpc.onPush((message) => {
    if (message.push === 'event' && message.event.sessionId === id) arrived.push(message.event);
    else if (message.push === 'delta' && message.delta.sessionId === id) arrived.push(message.delta);
    else return;
    schedule();
  });
  const endState = rpc.onState((state) => {
    if (state === 'connected') void catchUp();
  });
  void catchUp();

  return {
    id,
    get timeline() {
      return timeline;
    },
    get events() {
      return events;
    },
    get loading() {
      return loading;
    },
    get error() {
      return error;
    },
    retry() {
      loading = true;
      void catchUp();
    },
    close() {
      closed = true;
      endPush();
      endState();
      // The line may be down: then the core has forgotten this window anyway.
      if (rpc.state === 'connected') rpc.call('session.unwatch', { sessionId: id }).catch(() => {});
    },
  };
}
