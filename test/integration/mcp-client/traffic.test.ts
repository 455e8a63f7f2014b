import { describe, expect, it } from 'vitest';
import type { Servers } from '../../../src-main/mcp/client/index.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, scripted, viewOf } from './setup.ts';

const entries = (servers: Servers, name: string) => servers.traffic(name).read(0).entries;

describe('what is said between a server and Causeway', () => {
  it('is kept: every message with direction, method and how long the answer took, and stderr beside it', async () => {
    const { servers } = openServers();
    await servers.attach('junk', scripted('junk-on-stdout'));
    await call(servers, 'fine');
    const seen = entries(servers, 'junk');
    const asked = seen.find(({ kind, method }) => kind === 'request' && method === 'tools/call');
    expect(asked).toMatchObject({ direction: 'to', text: expect.stringContaining('"name":"fine"') as string });
    const answered = seen.find(({ kind, id }) => kind === 'answer' && id === asked?.id);
    expect(answered).toMatchObject({ direction: 'from', method: 'tools/call' });
    expect(answered?.durationMs).toBeGreaterThan(0);
    expect(seen.filter(({ kind }) => kind === 'notification').map(({ method }) => method)).toContain(
      'notifications/initialized',
    );
    expect(seen.find(({ kind }) => kind === 'junk')?.text).toContain('Welcome to the junk server!');
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  });

  it('shows an answer that belongs to no question as such', async () => {
    const { servers } = openServers(undefined, { limits: { callIdleMs: 200 } });
    await servers.attach('ids', scripted('wrong-ids'));
    await call(servers, 'wrong').catch(() => undefined);
    expect(entries(servers, 'ids').find(({ kind }) => kind === 'unasked')).toMatchObject({
      direction: 'from',
      id: 4711,
    });
  });

  it('is bounded in a flood, which harms neither the call nor its server', async () => {
    const { servers } = openServers();
    await servers.attach('floods', scripted('floods'));
    expect(await call(servers, 'flood')).toMatchObject({ content: [{ text: 'done' }] });
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
    const page = servers.traffic('floods').read(0);
    expect(page.entries.length).toBeLessThanOrEqual(1_000);
    expect(page.missed).toBeGreaterThan(50_000);
    expect(viewOf(servers, 'floods').stderr.length).toBeLessThanOrEqual(50);
  });

  it('cuts what is huge', async () => {
    const { servers } = openServers();
    await servers.attach('huge', scripted('huge-result'));
    await call(servers, 'huge', { length: 10_000_000 });
    const answer = entries(servers, 'huge').findLast(({ kind }) => kind === 'answer');
    expect(answer?.text.length).toBeLessThan(30_000);
    expect(answer?.text).toContain('(10000000 characters)');
  });

  it('is told to who waits for more, and stays over a restart', async () => {
    const { servers } = openServers();
    await servers.attach('junk', scripted('junk-on-stdout'));
    const last = entries(servers, 'junk').at(-1)?.seq ?? 0;
    const more = servers.traffic('junk').more(last, AbortSignal.timeout(10_000));
    await call(servers, 'fine');
    await more;
    await waitFor(() => servers.traffic('junk').read(last).entries.length > 0);
    await servers.restart('junk');
    expect(entries(servers, 'junk')[0]?.seq).toBe(1);
  });
});
