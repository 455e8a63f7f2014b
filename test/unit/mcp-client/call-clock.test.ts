import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCallClock } from '../../../src-main/mcp/client/requests/index.ts';

describe('the clock of a call', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is up when there was no sign of life for the idle time', () => {
    const clock = createCallClock({ idleMs: 100, totalMs: 1000 });
    vi.advanceTimersByTime(99);
    clock.beat();
    vi.advanceTimersByTime(99);
    expect(clock.late).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(clock.late).toBe('idle');
    expect(clock.signal.aborted).toBe(true);
  });

  it('is up when the whole time is over, whatever signs there were', () => {
    const clock = createCallClock({ idleMs: 100, totalMs: 250 });
    for (let time = 0; time < 4; time += 1) {
      vi.advanceTimersByTime(60);
      clock.beat();
    }
    vi.advanceTimersByTime(10);
    expect(clock.late).toBe('total');
  });

  it('stands still until every pause is over, and then has what was left', () => {
    const clock = createCallClock({ idleMs: 500, totalMs: 500 });
    vi.advanceTimersByTime(400);
    const first = clock.pause();
    const second = clock.pause();
    vi.advanceTimersByTime(10_000);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    vi.advanceTimersByTime(10_000);
    second[Symbol.dispose]();
    vi.advanceTimersByTime(99);
    expect(clock.late).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(clock.late).toBe('total');
  });

  it('that is over is never up', () => {
    const clock = createCallClock({ idleMs: 10, totalMs: 10 });
    const pause = clock.pause();
    clock[Symbol.dispose]();
    pause[Symbol.dispose]();
    vi.advanceTimersByTime(1000);
    expect(clock.signal.aborted).toBe(false);
  });

  it('aborts with the reason of whoever stops the call, which is not being late', () => {
    const stop = new AbortController();
    const clock = createCallClock({ idleMs: 10, totalMs: 10, signal: stop.signal });
    stop.abort('enough');
    expect(clock.signal.reason).toBe('enough');
    expect(clock.late).toBeUndefined();
    expect(createCallClock({ idleMs: 10, totalMs: 10, signal: stop.signal }).signal.aborted).toBe(true);
  });

  it('that is over hears of nothing any more', () => {
    const stop = new AbortController();
    const clock = createCallClock({ idleMs: 10, totalMs: 10, signal: stop.signal });
    clock[Symbol.dispose]();
    stop.abort();
    expect(clock.signal.aborted).toBe(false);
  });
});
