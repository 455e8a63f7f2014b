import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHttpSessions, type HttpSessions } from '../../../src-main/mcp/endpoint/http-sessions.ts';
import { createEndpoint } from '../../../src-main/mcp/endpoint/index.ts';
import { success } from '../../../src-shared/index.ts';
import { echo } from '../../fixtures/tools.ts';

const IDLE_MS = 1000;
const clientInfo = { name: 'app', version: '1' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

interface Client {
  /** Sends a request; it counts as open until `finish` is called. */
  send(
    body: unknown,
    sessionId?: string,
    principal?: string,
  ): Promise<{ status: number; id: string; finish: () => void }>;
  sessions: HttpSessions;
}

function create(maxSessions = 10): Client {
  const endpoint = createEndpoint({
    source: { tools: () => [echo] },
    gateway: { call: () => Promise.resolve(success('')), cancel: () => false },
    onToolsChanged: () => ({ [Symbol.dispose]: () => undefined }),
    serverInfo: { name: 'causeway', version: '0' },
    openSession: () => ({ sessionId: 's', close: () => undefined }),
  });
  const sessions = createHttpSessions(endpoint, { maxSessions, idleMs: IDLE_MS });
  return {
    sessions,
    async send(body, sessionId, principal = 'one') {
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(sessionId && { 'Mcp-Session-Id': sessionId }),
      };
      let finish = (): void => undefined;
      const whenAnswered = (listener: () => void): void => void (finish = listener);
      const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers });
      const response = await sessions.handle({ request, body, principal, whenAnswered });
      return { status: response.status, id: response.headers.get('mcp-session-id') ?? '', finish };
    },
  };
}

const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

describe('sessions over HTTP', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('end after the idle time without a request', async () => {
    const { send } = create();
    const first = await send(initialize);
    first.finish();
    vi.advanceTimersByTime(IDLE_MS - 1);
    const second = await send(list, first.id);
    expect(second.status).toBe(200);
    second.finish();
    vi.advanceTimersByTime(IDLE_MS);
    expect((await send(list, first.id)).status).toBe(404);
  });

  it('do not end while a response is open', async () => {
    const { send } = create();
    const first = await send(initialize);
    vi.advanceTimersByTime(10 * IDLE_MS);
    expect((await send(list, first.id)).status).toBe(200);
  });

  it('make room for a new one only where nothing is open', async () => {
    const { send } = create(2);
    const first = await send(initialize);
    await send(initialize);
    expect((await send(initialize)).status).toBe(503);
    first.finish();
    expect((await send(initialize)).status).toBe(200);
    expect((await send(list, first.id)).status).toBe(404);
  });

  it('belong to the one whose token opened them', async () => {
    const { send } = create();
    const { id } = await send(initialize);
    expect((await send(list, id, 'two')).status).toBe(404);
    expect((await send(list, id, 'one')).status).toBe(200);
  });

  it('are not kept when the transport refuses to open them', async () => {
    const { send } = create(1);
    expect((await send([initialize, list])).status).toBe(400);
    expect((await send(initialize)).status).toBe(200);
  });

  it('are all ended on disposal', async () => {
    const { send, sessions } = create();
    const { id } = await send(initialize);
    await sessions[Symbol.asyncDispose]();
    expect((await send(list, id)).status).toBe(404);
  });
});
