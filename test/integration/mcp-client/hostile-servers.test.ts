import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/index.ts';
import { mirrorTool } from '../../fixtures/servers/faithful.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, scripted, toolOf, viewOf } from './setup.ts';

const lines = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');

describe('a server that does not come up', () => {
  it('and is silent has failed when its time is up', async () => {
    const { servers } = openServers(undefined, { limits: { connectMs: 400, stopMs: 50 } });
    expect(await servers.attach('silent', scripted('silent'))).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('did not answer within') as string,
    });
  });

  it('and crashes has failed with what was run, its exit code, its last words and the likely fix', async () => {
    const { servers } = openServers();
    const { state, message, stderr } = await servers.attach('crash', scripted('crash-at-start'));
    expect(state).toBe('failed');
    expect(message).toContain('crash-at-start.ts" ended with exit code 3.');
    expect(message).toContain("Its last output: Error: Cannot find module 'left-pad'");
    expect(message).toContain('A file it needs is missing');
    expect(stderr).toContain("Error: Cannot find module 'left-pad'");
  });

  it('because its answer is of another kind says so in one line', async () => {
    const { servers } = openServers();
    const { state, message } = await servers.attach('other', scripted('broken-handshake'));
    expect(state).toBe('failed');
    expect(message).toMatch(/^[^\n]*not what MCP says[^\n]*$/);
  });

  it('because its program is not installed says so shortly, and at the end how to get it', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `/nowhere/folder-${index}`).join(':');
    const { servers } = openServers(undefined, { resolvePath: () => Promise.resolve(many) });
    expect(await servers.attach('none', { command: 'uvx', args: ['x'], env: {}, disabled: false })).toMatchObject({
      state: 'failed',
      message:
        '"uvx x": The command "uvx" was not found. uv is not installed: see https://docs.astral.sh/uv/, then restart this server.',
    });
  });

  it('takes nothing else down', async () => {
    const { servers } = openServers({
      mcpServers: { crash: scripted('crash-at-start'), wrong: { args: [] }, good: scripted('faithful') },
    });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    await waitFor(() => viewOf(servers, 'good').state === 'ready');
    expect(servers.list().map(({ name, state }) => [name, state])).toEqual([
      ['crash', 'failed'],
      ['wrong', 'failed'],
      ['good', 'ready'],
    ]);
    expect(viewOf(servers, 'wrong').message).toMatch(/line 1, column \d+: it needs a "command" or a "url"/);
  });

  it('because the question of the new protocol ends it is asked the old one, and that is remembered', async () => {
    const starts = path.join(temporaryFolder(), 'starts');
    const { servers } = openServers();
    expect(await servers.attach('old', scripted('dies-at-unknown-method', { STARTS: starts }))).toMatchObject({
      state: 'ready',
    });
    expect(lines(starts)).toHaveLength(2);
    await servers.restart('old');
    expect(lines(starts)).toHaveLength(3);
  });
});

describe('a server that dies during a call', () => {
  it('fails that call once, is shown as failed, and works again after a restart', async () => {
    const calls = path.join(temporaryFolder(), 'calls');
    const { servers } = openServers();
    await servers.attach('crash', scripted('crash-mid-call', { CALLS: calls }));
    await expect(call(servers, 'crash')).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The server "crash" did not finish the call of "crash": the connection was closed.',
      hint: expect.stringContaining('not repeated') as string,
    });
    await waitFor(() => viewOf(servers, 'crash').state === 'failed');
    expect(viewOf(servers, 'crash').message).toMatch(/exit code 7.*panic: out of luck/);
    expect(servers.tools().every(({ remembered }) => remembered)).toBe(true);
    expect(lines(calls)).toEqual(['called']);
    expect(await servers.restart('crash')).toMatchObject({ state: 'ready' });
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
  });
});

describe('a server that is odd', () => {
  it('and prints junk on stdout works, and the junk is shown', async () => {
    const { servers } = openServers();
    const view = await servers.attach('junk', scripted('junk-on-stdout'));
    expect(view.state).toBe('ready');
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
    expect(viewOf(servers, 'junk').stderr).toContain('[not a message, on stdout] Welcome to the junk server!');
  });

  it('and lists odd tools has every one of them under a name of its own, reaching the right one', async () => {
    const { servers } = openServers();
    const view = await servers.attach('odd', scripted('odd-tools'));
    expect(view.message).toBe('2 of its tools have no name and can not be used.');
    const tools = servers.tools();
    expect(tools).toHaveLength(11);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(11);
    expect(tools.every(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(view.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const tool of tools) {
      const originalName = tool.origin.kind === 'server' ? tool.origin.originalName : '';
      expect((await call(servers, originalName)).content).toEqual([{ type: 'text', text: originalName }]);
    }
    expect(toolOf(servers, 'bare')).toMatchObject({ description: '', inputSchema: { type: 'object' } });
    expect(toolOf(servers, 'odd_fields')).not.toHaveProperty('annotations');
  });

  it('and lists pages without end has the first ones, and says so', async () => {
    const { servers } = openServers(undefined, { limits: { pages: 5 } });
    const many = await servers.attach('many', scripted('endless-pages'));
    expect(many).toMatchObject({ state: 'ready', message: expect.stringContaining('no end') as string });
    expect(many.tools).toHaveLength(5);
    const same = await servers.attach('same', scripted('endless-pages', { SAME_CURSOR: '1' }));
    expect(same).toMatchObject({ state: 'ready', message: expect.stringContaining('no end') as string });
  });

  it.each(['result_is_null', 'error_is_no_error', 'nothing_in_it'])(
    'and gives a broken answer (%s) fails the call at once',
    async (name) => {
      const { servers } = openServers();
      await servers.attach('broken', scripted('broken-answers'));
      await expect(call(servers, name)).rejects.toMatchObject({
        code: 'protocol',
        message: expect.stringContaining('not valid JSON-RPC') as string,
      });
    },
  );

  it('and sends a result of many megabytes is heard out, up to a limit that ends it', async () => {
    const { servers } = openServers(undefined, { limits: { messageBytes: 16 * 1024 * 1024, stopMs: 200 } });
    await servers.attach('huge', scripted('huge-result'));
    const { content } = await call(servers, 'huge', { length: 12_000_000 });
    expect(content[0]?.type === 'text' && content[0].text.length).toBe(12_000_000);
    await expect(call(servers, 'huge', { length: 40_000_000 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('It sent a message of more than 16 MB') as string,
    });
    await waitFor(() => viewOf(servers, 'huge').state !== 'ready');
    expect(viewOf(servers, 'huge').message).toContain('more than 16 MB');
  });
});

describe('a server whose tools change', () => {
  it('has the new ones at once, in a new list, and tells', async () => {
    const { servers } = openServers();
    await servers.attach('changing', scripted('changing-tools'));
    const before = servers.tools();
    expect(servers.tools()).toBe(before);
    let told = 0;
    servers.onChange(() => (told += 1));
    await call(servers, 'grow');
    await waitFor(() => servers.tools().some(({ name }) => name === 'mcp_changing_grown_2'));
    expect(servers.tools()).not.toBe(before);
    expect(told).toBeGreaterThan(0);
  });

  it('and that announces a thousand changes is asked a few times only', async () => {
    const { servers } = openServers();
    await servers.attach('changing', scripted('changing-tools'));
    await call(servers, 'flood');
    const asked = await waitFor(() => {
      const names = servers.tools().map(({ name }) => name);
      const count = Number(/asked_(\d+)/.exec(names.join(' '))?.[1]);
      return count > 1 && count;
    });
    expect(asked).toBeLessThan(10);
  });
});

describe('what passes through unchanged', () => {
  it('is the definition of a tool, and the instructions up to a limit', async () => {
    const { servers } = openServers();
    await servers.attach('faithful', scripted('faithful'));
    const { title, inputSchema, outputSchema, annotations, icons, meta } = toolOf(servers, 'mirror');
    const { _meta, ...expected } = mirrorTool;
    expect({ title, inputSchema, outputSchema, annotations, icons, meta }).toEqual({
      title: expected['title'],
      inputSchema: expected['inputSchema'],
      outputSchema: expected['outputSchema'],
      annotations: expected['annotations'],
      icons: expected['icons'],
      meta: _meta,
    });
    const text = servers.instructions()[0]?.text ?? '';
    expect(text).toMatch(/^Read this\. .* \[cut\]$/s);
    expect(text.length).toBeLessThan(8_300);
  });

  it('is a result: every part in order, structured content, meta, failure', async () => {
    const { servers } = openServers();
    await servers.attach('faithful', scripted('faithful'));
    const content = [
      { type: 'text', text: 'a', annotations: { priority: 0.5 }, _meta: { x: 1 } },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'image', data: 'AQ==', mimeType: 'image/webp', later: [1] },
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'a://b', blob: 'AA==', mimeType: 'x/y' } },
      { type: 'resource_link', uri: 'a://c', name: 'c', size: 4 },
    ];
    const result: JsonObject = { content, structuredContent: { n: 1, deep: [null] }, isError: true, _meta: { t: 1 } };
    expect(await call(servers, 'mirror', { result })).toEqual({
      content,
      structuredContent: { n: 1, deep: [null] },
      isError: true,
      meta: { t: 1 },
    });
  });
});
