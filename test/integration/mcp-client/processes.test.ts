import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServers } from '../../../src-main/mcp/client/index.ts';
import { processIdentity } from '../../../src-main/platform/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { openServers, scripted } from './setup.ts';

const QUICK = { limits: { stopMs: 100 } };

function readPids(file: string): number[] {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8') || '[]') as number[]) : [];
}

function running(pids: readonly number[]): number[] {
  return pids.filter((pid) => processIdentity(pid) !== undefined);
}

describe('processes of servers', () => {
  it('are all gone when Causeway ends, also grandchildren that ignore SIGTERM and made sessions of their own', async () => {
    const file = path.join(temporaryFolder(), 'pids');
    const { servers, folder } = openServers(undefined, QUICK);
    expect(await servers.attach('stubborn', scripted('stubborn', { PIDS: file }))).toMatchObject({ state: 'ready' });
    const pids = readPids(file);
    expect(running(pids)).toHaveLength(3);
    await servers[Symbol.asyncDispose]();
    expect(running(pids)).toEqual([]);
    expect(
      readdirSync(path.join(folder, 'run')).filter((name) => name.startsWith('server-') && !name.endsWith('.json')),
    ).toEqual([]);
  });

  it('are gone when a server is stopped while it starts', async () => {
    const { servers } = openServers(undefined, QUICK);
    const attached = servers.attach('silent', scripted('silent'));
    await waitFor(() => servers.list()[0]?.state === 'starting');
    await servers.remove('silent');
    await attached.catch(() => undefined);
    expect(servers.list()).toEqual([]);
  });

  it('are ended with the server when only it is killed', async () => {
    const file = path.join(temporaryFolder(), 'pids');
    const { servers } = openServers(undefined, QUICK);
    await servers.attach('stubborn', scripted('stubborn', { PIDS: file }));
    const pids = readPids(file);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await waitFor(() => servers.list()[0]?.state === 'failed');
    expect(servers.list()[0]?.message).toContain('by signal SIGKILL');
    await waitFor(() => running(pids).length === 0, { what: 'the children to be gone' });
  });

  it('that a killed Causeway left behind are ended at the next start, and nobody else’s', async () => {
    const folder = temporaryFolder();
    const [configPath, runDir, file] = ['mcp.json', 'run', 'pids'].map((name) => path.join(folder, name));
    if (configPath === undefined || runDir === undefined || file === undefined) throw new Error('three names');
    writeFileSync(configPath, JSON.stringify({ mcpServers: { stubborn: scripted('stubborn', { PIDS: file }) } }));
    const host = spawn(
      process.execPath,
      [path.resolve(import.meta.dirname, '../../fixtures/servers/host-to-kill.ts'), configPath, runDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    onTestFinished(() => void host.kill('SIGKILL'));
    await once(host.stdout, 'data');
    host.kill('SIGKILL');
    await once(host, 'exit');
    const pids = readPids(file);
    expect(running(pids)).toHaveLength(3);

    writeFileSync(configPath, JSON.stringify({ mcpServers: { other: scripted('faithful') } }));
    const options = { configPath, runDir, clientInfo: { name: 'next', version: '1' }, env: process.env };
    await using next = createServers(options);
    next.start();
    await waitFor(() => next.list()[0]?.state === 'ready');
    expect(running(pids)).toEqual([]);
    await using beside = createServers(options);
    beside.start();
    await waitFor(() => beside.list()[0]?.state === 'ready');
    expect(next.list()[0]?.state).toBe('ready');
  });
});
