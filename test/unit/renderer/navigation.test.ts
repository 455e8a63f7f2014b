import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionState, SessionSummary } from '../../../src-shared/index.ts';
import { reconnectDelay } from '../../../src-renderer/rpc/socket.ts';
import { groupSessions, withSession } from '../../../src-renderer/stores/groups.ts';
import { parseRoute, routeHash } from '../../../src-renderer/stores/route.ts';

const session = (id: string, state: SessionState, workspace = '/a', updatedAt = 1): SessionSummary => ({
  id,
  title: id,
  workspace,
  origin: 'window',
  state,
  createdAt: 1,
  updatedAt,
});

describe('addresses', () => {
  it('lead to every page and back', () => {
    const routes = [
      { page: 'home' },
      { page: 'session', id: 'a/b c' },
      { page: 'tools' },
      { page: 'tools', name: 'bash' },
      { page: 'servers' },
      { page: 'servers', add: 'causeway://add-server?name=a&config={"b":1}' },
      { page: 'history' },
      { page: 'history', file: 'src/a b+c&d?.ts', session: 's1', tool: 'bash', caller: 'person', time: 'week' },
      { page: 'history', edit: 12 },
      { page: 'history', blame: '/home/mei/ü #1/50%.ts' },
      { page: 'settings' },
    ] as const;
    for (const route of routes) expect(parseRoute(routeHash(route))).toEqual(route);
  });

  it('of the history can be read by people, and leave out what is not asked for', () => {
    expect(routeHash({ page: 'history' })).toBe('#/history');
    expect(routeHash({ page: 'history', file: '', tool: 'bash' })).toBe('#/history?tool=bash');
    expect(routeHash({ page: 'history', blame: '/home/mei/a.ts' })).toBe('#/history?blame=/home/mei/a.ts');
  });

  it('of the history lead to all edits where they make no sense', () => {
    for (const query of ['?time=tomorrow', '?edit=one', '?edit=-1', '?edit=1.5', '?tool=', '?%E0%A4%A', '?a?b=c']) {
      expect(parseRoute(`#/history${query}`)).toEqual({ page: 'history' });
    }
  });

  it('that are unknown or broken lead somewhere safe', () => {
    expect(parseRoute('#/nowhere/5')).toEqual({ page: 'home' });
    expect(parseRoute('#/session/')).toEqual({ page: 'home' });
    expect(parseRoute('#/settings?file=a')).toEqual({ page: 'settings' });
    expect(parseRoute('#/session/%E0%A4%A')).toEqual({ page: 'session', id: '%E0%A4%A' });
    fc.assert(fc.property(fc.string(), (hash) => typeof parseRoute(hash).page === 'string'));
  });
});

describe('the list of sessions', () => {
  it('has what waits first, then what runs, then the rest by workspace', () => {
    const groups = groupSessions([
      session('1', 'idle', '/b'),
      session('2', 'running'),
      session('3', 'waiting'),
      session('4', 'interrupted'),
      session('5', 'idle', '/b'),
    ]);
    expect(groups.map((group) => [group.kind, group.sessions.map(({ id }) => id).join('')])).toEqual([
      ['waiting', '3'],
      ['running', '2'],
      ['workspace', '15'],
      ['workspace', '4'],
    ]);
  });

  it('has the demos, which work in the data folder, last and together', () => {
    const list = [
      session('1', 'idle', '/home/data/demo/a'),
      session('2', 'idle', '/w'),
      session('3', 'idle', '/home/data/demo/b'),
    ];
    expect(groupSessions(list, '/home/data').map(({ kind, sessions }) => [kind, sessions.length])).toEqual([
      ['workspace', 1],
      ['demos', 2],
    ]);
  });

  it('takes a session that changed to its place, the newest first', () => {
    const list = [session('1', 'idle', '/a', 30), session('2', 'idle', '/a', 20)];
    expect(withSession(list, session('2', 'running', '/a', 40)).map(({ id }) => id)).toEqual(['2', '1']);
    expect(withSession(list, session('3', 'idle', '/a', 25)).map(({ id }) => id)).toEqual(['1', '3', '2']);
  });
});

describe('the wait before reconnecting', () => {
  it('grows to five seconds and no further', () => {
    expect(reconnectDelay(0)).toBe(200);
    expect(reconnectDelay(3)).toBe(1600);
    expect(reconnectDelay(1000)).toBe(5000);
  });
});
