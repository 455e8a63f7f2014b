import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../../fixtures/wait.ts';
import { openServers, scripted, viewOf } from './setup.ts';

describe('servers and their config file', () => {
  it('an added server stands in the file and runs; a removed one does neither', async () => {
    const { servers, folder } = openServers();
    const file = path.join(folder, 'mcp.json');
    expect(await servers.add('one', scripted('faithful'))).toMatchObject({ state: 'ready' });
    expect(readFileSync(file, 'utf8')).toContain('"one"');
    await expect(servers.add('one', scripted('faithful'))).rejects.toMatchObject({ code: 'conflict' });
    await servers.remove('one');
    expect(servers.list()).toEqual([]);
    expect(readFileSync(file, 'utf8')).not.toContain('"one"');
    await expect(servers.remove('one')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('an attached server is in no file', async () => {
    const { servers, folder } = openServers({ mcpServers: {} });
    await servers.attach('demo', scripted('faithful'));
    expect(readFileSync(path.join(folder, 'mcp.json'), 'utf8')).toBe('{"mcpServers":{}}');
    await servers.remove('demo');
    expect(servers.list()).toEqual([]);
  });

  it('a broken file is shown with line and column, starts nothing, and is not overwritten', async () => {
    const { servers, folder } = openServers('{\n  "mcpServers": { "a": }\n}');
    servers.start();
    expect(servers.list()).toEqual([
      expect.objectContaining({
        name: 'mcp.json',
        state: 'failed',
        message: expect.stringContaining('line 2, column 24') as string,
      }),
    ]);
    await expect(servers.add('one', scripted('faithful'))).rejects.toMatchObject({ code: 'bad_input' });
    expect(readFileSync(path.join(folder, 'mcp.json'), 'utf8')).toContain('"a": }');
    expect(servers.list()).toHaveLength(1);
  });

  it('a restart takes the entry as it stands now', async () => {
    const { servers, folder } = openServers({ mcpServers: { one: scripted('crash-at-start') } });
    servers.start();
    await waitFor(() => viewOf(servers, 'one').state === 'failed');
    writeFileSync(path.join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { one: scripted('faithful') } }));
    expect(await servers.restart('one')).toMatchObject({ state: 'ready' });
  });

  it('what is no server is refused before anything is written', async () => {
    const { servers } = openServers();
    const url = { url: 'file:///etc/passwd', headers: {}, disabled: false };
    await expect(servers.add('one', url)).rejects.toMatchObject({ code: 'bad_input' });
    await expect(servers.add(' ', scripted('faithful'))).rejects.toMatchObject({ code: 'bad_input' });
    expect(servers.list()).toEqual([]);
  });

  it('waiting for all to settle ends at its deadline', async () => {
    const { servers } = openServers({ mcpServers: { silent: scripted('silent') } }, { limits: { stopMs: 50 } });
    servers.start();
    await waitFor(() => viewOf(servers, 'silent').state === 'starting');
    await servers.settled({ deadlineMs: 50 });
    expect(viewOf(servers, 'silent').state).toBe('starting');
  });
});
