import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRpc } from '../../../src-renderer/rpc/client.ts';
import type { Transport } from '../../../src-renderer/rpc/transport.ts';

/** A line whose other end is in the test's hand. */
function createLine(open: boolean) {
  const sent: { id: number; method: string; params: unknown }[] = [];
  let receive: (message: string) => void = () => {};
  let change: (open: boolean) => void = () => {};
  const line = { open };
  const transport: Transport = {
    get open() {
      return line.open;
    },
    send: (message) => sent.push(JSON.parse(message)),
    onMessage: (listener) => (receive = listener),
    onOpenChange: (listener) => (change = listener),
    close: () => {},
  };
  return {
    transport,
    sent,
    receive: (message: unknown) => receive(typeof message === 'string' ? message : JSON.stringify(message)),
    setOpen(next: boolean) {
      line.open = next;
      change(next);
    },
  };
}

describe('a call to the core', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gets the answer with its number', async () => {
    const line = createLine(true);
    const rpc = createRpc(line.transport);
    const first = rpc.call('tool.list', {});
    const second = rpc.call('server.list', {});
    line.receive({ id: line.sent[1]?.id, result: [] });
    line.receive({ id: line.sent[0]?.id, result: [] });
    expect(await first).toEqual([]);
    expect(await second).toEqual([]);
  });

  it('fails with the words of the core', async () => {
    const line = createLine(true);
    const answer = createRpc(line.transport).call('session.stop', { sessionId: 's' });
    line.receive({ id: 1, error: { code: 'conflict', message: 'It already runs.', hint: 'Wait.' } });
    await expect(answer).rejects.toMatchObject({ code: 'conflict', message: 'It already runs.', hint: 'Wait.' });
  });

  it('refuses an answer that breaks the contract', async () => {
    const line = createLine(true);
    const answer = createRpc(line.transport).call('tool.list', {});
    line.receive({ id: 1, result: [{ name: 5 }] });
    await expect(answer).rejects.toMatchObject({ code: 'protocol' });
  });

  it('waits for the line to open, and is sent once', async () => {
    const line = createLine(false);
    const rpc = createRpc(line.transport);
    const answer = rpc.call('tool.list', {});
    expect(line.sent).toEqual([]);
    expect(rpc.state).toBe('connecting');
    line.setOpen(true);
    expect(line.sent).toHaveLength(1);
    expect(rpc.state).toBe('connected');
    line.receive({ id: 1, result: [] });
    expect(await answer).toEqual([]);
  });

  it('fails when the line breaks under it, and is not sent again', async () => {
    const line = createLine(true);
    const rpc = createRpc(line.transport);
    const answer = rpc.call('tool.list', {});
    line.setOpen(false);
    await expect(answer).rejects.toMatchObject({ code: 'unavailable' });
    expect(rpc.state).toBe('reconnecting');
    line.setOpen(true);
    expect(line.sent).toHaveLength(1);
  });

  it('has a deadline', async () => {
    const line = createLine(true);
    const answer = createRpc(line.transport).call('tool.list', {});
    const refused = expect(answer).rejects.toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(31_000);
    await refused;
  });

  it('hands pushes to every listener, and drops what it does not understand', () => {
    const line = createLine(true);
    const rpc = createRpc(line.transport);
    const pushes: string[] = [];
    const end = rpc.onPush(({ push }) => pushes.push(push));
    line.receive({ push: 'servers', servers: [] });
    line.receive({ push: 'from-the-future' });
    line.receive('not json');
    line.receive({ push: 'event', event: { seq: 'x' } });
    line.receive({ nothing: true });
    end();
    line.receive({ push: 'servers', servers: [] });
    expect(pushes).toEqual(['servers']);
  });
});
