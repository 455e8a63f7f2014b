import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src-main/mcp/client/limits.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, scripted } from './setup.ts';

async function slowServer(limits: Partial<Limits> = {}) {
  const file = path.join(temporaryFolder(), 'notes');
  const { servers } = openServers(undefined, { limits });
  await servers.attach('slow', scripted('slow', { NOTES: file }));
  return { servers, notes: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

describe('a call', () => {
  it('that is stopped is cancelled at the server, under its own number', async () => {
    const { servers, notes } = await slowServer();
    const stop = new AbortController();
    const running = call(servers, 'hang', {}, { signal: stop.signal });
    const caught = expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await waitFor(() => notes().includes('called'));
    stop.abort();
    await caught;
    await waitFor(() => /called (\d+)\ncancelled \1\n/.test(notes()), { what: 'the cancellation' });
  });

  it('that was stopped before it began is not sent', async () => {
    const { servers, notes } = await slowServer();
    await expect(call(servers, 'hang', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(notes()).toBe('');
  });

  it('without any progress ends when its idle time is up, and the server is told', async () => {
    const { servers, notes } = await slowServer({ callIdleMs: 100 });
    await expect(call(servers, 'hang')).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('no sign of life') as string,
    });
    await waitFor(() => notes().includes('cancelled'));
  });

  it('is kept alive by progress', async () => {
    const { servers } = await slowServer({ callIdleMs: 1_000 });
    const seen: unknown[] = [];
    const output = { write: () => undefined, progress: (progress: unknown) => void seen.push(progress) };
    expect(await call(servers, 'work', { everyMs: 300, times: 5 }, { output })).toMatchObject({ isError: false });
    expect(seen[0]).toEqual({ progress: 1, total: 5, message: 'step 1' });
  });

  it('ends when its whole time is up, progress or not, and the server is told', async () => {
    const { servers, notes } = await slowServer({ callIdleMs: 5_000, callTotalMs: 300 });
    await expect(call(servers, 'work', { everyMs: 20, times: 500 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('not done after') as string,
    });
    await waitFor(() => notes().includes('cancelled'));
  });

  it('runs beside others of the same server', async () => {
    const { servers } = await slowServer();
    const results = await Promise.all(
      Array.from({ length: 64 }, () => call(servers, 'work', { everyMs: 1, times: 2 })),
    );
    expect(results.every(({ isError }) => !isError)).toBe(true);
  });
});
