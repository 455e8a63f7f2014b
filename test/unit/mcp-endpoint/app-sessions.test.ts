import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppSessions, type AppSessions } from '../../../src-main/mcp/endpoint/app-sessions.ts';

const app = { id: 'stdio:editor', name: 'editor' };
const MINUTE = 60_000;

interface Log {
  sessions: AppSessions;
  log: string[];
}

function create(): Log {
  const log: string[] = [];
  const sessions = createAppSessions(({ id }) => {
    log.push(`open ${id}`);
    return { sessionId: `session of ${id}`, close: () => log.push(`close ${id}`) };
  });
  return { sessions, log };
}

describe("an app's session", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is opened once for all its connections and calls', () => {
    const { sessions, log } = create();
    sessions.hold(app);
    sessions.hold(app);
    expect(sessions.startCall(app).sessionId).toBe('session of stdio:editor');
    expect(log).toEqual(['open stdio:editor']);
  });

  it('stays for ten minutes after the last use, and is closed then', () => {
    const { sessions, log } = create();
    const held = sessions.hold(app);
    held[Symbol.dispose]();
    vi.advanceTimersByTime(9 * MINUTE);
    expect(log).toEqual(['open stdio:editor']);
    vi.advanceTimersByTime(MINUTE);
    expect(log).toEqual(['open stdio:editor', 'close stdio:editor']);
  });

  it('is not closed while a connection or a call uses it', () => {
    const { sessions, log } = create();
    const first = sessions.startCall(app);
    const second = sessions.hold(app);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    vi.advanceTimersByTime(60 * MINUTE);
    expect(log).toEqual(['open stdio:editor']);
    second[Symbol.dispose]();
    sessions.startCall(app);
    vi.advanceTimersByTime(60 * MINUTE);
    expect(log).toEqual(['open stdio:editor']);
  });

  it('refuses more calls at once than an app may run, and counts ended ones out', () => {
    const { sessions } = create();
    const calls = Array.from({ length: 256 }, () => sessions.startCall(app));
    expect(() => sessions.startCall(app)).toThrow('"editor" already has 256 calls running');
    calls[0]?.[Symbol.dispose]();
    expect(sessions.startCall(app).sessionId).toBe('session of stdio:editor');
  });

  it('is closed with everything else', () => {
    const { sessions, log } = create();
    sessions.hold(app);
    sessions[Symbol.dispose]();
    expect(log).toEqual(['open stdio:editor', 'close stdio:editor']);
  });
});
