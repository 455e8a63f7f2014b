import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src-main/mcp/client/limits.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { badTools } from '../../fixtures/servers/bad-schemas.ts';
import { call, openServers, scripted, toolOf, viewOf } from './setup.ts';

const SOON: Partial<Limits> = { restart: { firstMs: 20, mostMs: 50, attempts: 3, calmMs: 60_000 }, stopMs: 200 };

const lines = (file: string): string[] => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []);

/** A server that was ready once and starts anew, behind a gate that is closed. */
async function startedAgain(tools = { before: 'fine', after: 'fine' }) {
  const folder = temporaryFolder();
  const gate = path.join(folder, 'gate');
  const server = (names: string) => ({ mcpServers: { gated: scripted('gated', { GATE: gate, TOOLS: names }) } });
  writeFileSync(gate, '');
  const first = openServers(server(tools.before), { runDir: path.join(folder, 'run') });
  first.servers.start();
  await first.servers.settled({ deadlineMs: 30_000 });
  expect(viewOf(first.servers, 'gated').state).toBe('ready');
  await first.servers[Symbol.asyncDispose]();
  rmSync(gate);
  const { servers } = openServers(server(tools.after), { runDir: path.join(folder, 'run') });
  servers.start();
  await waitFor(() => viewOf(servers, 'gated').state === 'starting');
  return { servers, open: () => writeFileSync(gate, '') };
}

describe('the tools that a server last had', () => {
  it('are offered while it starts, and marked so', async () => {
    const { servers, open } = await startedAgain();
    expect(viewOf(servers, 'gated')).toMatchObject({ state: 'starting', remembered: true });
    expect(toolOf(servers, 'fine')).toMatchObject({ name: 'mcp_gated_fine', remembered: true });
    open();
    await waitFor(() => viewOf(servers, 'gated').state === 'ready');
    expect(viewOf(servers, 'gated')).not.toHaveProperty('remembered');
    expect(toolOf(servers, 'fine')).not.toHaveProperty('remembered');
  });

  it('wait with a call until it is there', async () => {
    const { servers, open } = await startedAgain();
    const told: unknown[] = [];
    const output = { write: () => undefined, progress: (progress: unknown) => void told.push(progress) };
    const called = call(servers, 'fine', {}, { output });
    open();
    expect(await called).toMatchObject({ content: [{ text: 'fine was called' }] });
    expect(told).toContainEqual({ progress: 0, message: 'Waiting for the server "gated" to start' });
  });

  it('fail a call in words when it does not get ready, or is stopped', async () => {
    const { servers } = await startedAgain();
    const failed = expect(call(servers, 'fine')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('The server "gated" is not running') as string,
    });
    await servers.remove('gated');
    await failed;
  });

  it('stop waiting with the call', async () => {
    const { servers } = await startedAgain();
    const stop = new AbortController();
    const failed = expect(call(servers, 'fine', {}, { signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    stop.abort();
    await failed;
  });

  it('are not those of another command, folder or environment', async () => {
    const { servers } = await startedAgain({ before: 'fine', after: 'other' });
    expect(viewOf(servers, 'gated').state).toBe('starting');
    expect(servers.tools()).toEqual([]);
  });
});

describe('a server that the person stops', () => {
  it('stays stopped, says why to who calls it, and starts again by hand', async () => {
    const { servers, folder } = openServers({ mcpServers: { it: scripted('faithful') } });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    expect(await servers.stop('it')).toMatchObject({
      ...{ name: 'it', state: 'stopped', tools: [] },
      message: expect.stringContaining('stopped by hand') as string,
    });
    // An edit of the config file that is not about it leaves it as it is.
    const file = path.join(folder, 'mcp.json');
    writeFileSync(file, JSON.stringify({ mcpServers: { it: scripted('faithful'), other: scripted('faithful') } }));
    await waitFor(() => servers.list().some(({ name, state }) => name === 'other' && state === 'ready'));
    expect(viewOf(servers, 'it').state).toBe('stopped');
    expect((await servers.restart('it')).state).toBe('ready');
  });

  it('is stopped while it starts, too; one that is off stays off', async () => {
    const off = { ...scripted('faithful'), disabled: true };
    const { servers } = openServers({ mcpServers: { off, silent: scripted('silent') } });
    servers.start();
    await waitFor(() => viewOf(servers, 'silent').state === 'starting');
    expect(await servers.stop('silent')).toMatchObject({ state: 'stopped' });
    expect(await servers.stop('off')).toMatchObject({ state: 'off' });
  });
});

describe('a server that ends by itself', () => {
  it('is started again after a while, and its tools wait for it', async () => {
    const calls = path.join(temporaryFolder(), 'calls');
    const { servers } = openServers(undefined, { limits: SOON });
    await servers.attach('crash', scripted('crash-mid-call', { CALLS: calls }));
    await expect(call(servers, 'crash')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
    // The call that may have run was not made again.
    expect(lines(calls)).toEqual(['called']);
  });

  it('again and again is left alone, with the reason', async () => {
    const starts = path.join(temporaryFolder(), 'starts');
    const { servers } = openServers(undefined, { limits: SOON });
    await servers.attach('loop', scripted('crash-loop', { STARTS: starts }));
    const given = await waitFor(() => {
      const { message = '' } = viewOf(servers, 'loop');
      return message.includes('left alone') && message;
    });
    expect(given).toContain('ended with exit code 9. Its last output: out of luck again');
    expect(given).toContain('It was started again 3 times and did not last');
    expect(servers.tools()).toEqual([]);
    // The question of the new protocol, unanswered, is no start of its own.
    expect(lines(starts)).toHaveLength(4);
  });

  it('says when it comes back', async () => {
    const calls = path.join(temporaryFolder(), 'calls');
    const { servers } = openServers();
    await servers.attach('crash', scripted('crash-mid-call', { CALLS: calls }));
    await call(servers, 'crash').catch(() => undefined);
    await waitFor(() => viewOf(servers, 'crash').state === 'failed');
    expect(viewOf(servers, 'crash').message).toContain('It is started again in 1 second (attempt 1 of 5).');
  });
});

describe('a server that hangs', () => {
  it('fails the call when its time is up, is ended, and works again', async () => {
    const calls = path.join(temporaryFolder(), 'calls');
    const { servers } = openServers(undefined, { limits: { ...SOON, callIdleMs: 300, pingMs: 300 } });
    await servers.attach('hangs', scripted('hangs', { CALLS: calls }));
    await expect(call(servers, 'hang')).rejects.toMatchObject({ code: 'timeout' });
    await waitFor(() => viewOf(servers, 'hangs').state !== 'ready', { what: 'the hanging server to be seen' });
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
    expect(lines(calls)).toEqual(['called']);
  });

  it('is not ended while it answers others', async () => {
    const { servers } = openServers(undefined, { limits: { callIdleMs: 300 } });
    await servers.attach('ids', scripted('wrong-ids'));
    await expect(call(servers, 'wrong')).rejects.toMatchObject({ code: 'timeout' });
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
    expect(viewOf(servers, 'ids').state).toBe('ready');
  });

  it('before it has said a word is gone at once when it is stopped', async () => {
    const { servers } = openServers({ mcpServers: { silent: scripted('silent') } });
    servers.start();
    await waitFor(() => viewOf(servers, 'silent').state === 'starting');
    const start = performance.now();
    await servers[Symbol.asyncDispose]();
    expect(performance.now() - start).toBeLessThan(1_900);
  });
});

describe('limits in the entry of a server', () => {
  it('hold for it and for a single tool', async () => {
    const notes = path.join(temporaryFolder(), 'notes');
    const limits = { idleSeconds: 30, tools: { hang: { idleSeconds: 0.2 } } };
    const { servers } = openServers({ mcpServers: { slow: { ...scripted('slow', { NOTES: notes }), limits } } });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    await expect(call(servers, 'hang')).rejects.toMatchObject({ code: 'timeout' });
    expect(await call(servers, 'work', { everyMs: 100, times: 3 })).toMatchObject({ isError: false });
  });

  it('that are none are said, and the server works without', async () => {
    const { servers } = openServers({
      mcpServers: { a: { ...scripted('crash-mid-call'), limits: { startSeconds: 'x' } } },
    });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    expect(viewOf(servers, 'a')).toMatchObject({
      state: 'ready',
      message: 'Its "limits" are not used: startSeconds must be numbers of seconds above 0.',
    });
  });
});

describe('a server with bad tools', () => {
  it('has those that can be used, each reaching the right one, and takes nobody down', async () => {
    const { servers } = openServers();
    await Promise.all([servers.attach('bad', scripted('bad-schemas')), servers.attach('good', scripted('wrong-ids'))]);
    const offered = servers.tools().filter(({ origin }) => origin.kind === 'server' && origin.server === 'bad');
    expect(offered).toHaveLength(badTools.length);
    for (const tool of offered) {
      const original = tool.origin.kind === 'server' ? tool.origin.originalName : '';
      expect((await call(servers, original)).content).toEqual([{ type: 'text', text: original }]);
    }
    expect(await call(servers, 'fine')).toMatchObject({ content: [{ text: 'fine' }] });
  });

  it('keeps the schema as its server wrote it', async () => {
    const { servers } = openServers();
    await servers.attach('bad', scripted('bad-schemas'));
    expect(toolOf(servers, 'any_of').inputSchema).toEqual({ anyOf: [{ type: 'object' }, { type: 'array' }] });
    expect(toolOf(servers, 'wordy').description).toHaveLength(2_000);
  });
});

describe('an input that an entry names', () => {
  const entry = scripted('tells-secrets', { API_KEY: '${input:the-key}' });
  const secrets = () => {
    const kept = new Map<string, string>();
    return {
      get: (name: string) => kept.get(name),
      set: (name: string, value: string | null) => void (value === null ? kept.delete(name) : kept.set(name, value)),
    };
  };

  it('is asked for in words, and once it is given the server starts', async () => {
    const inputs = [{ type: 'promptString', id: 'the-key', description: 'The key of the service', password: true }];
    const { servers } = openServers({ inputs, mcpServers: { one: entry } }, { secrets: secrets() });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    expect(viewOf(servers, 'one')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('It needs the value of "the-key"') as string,
      inputs: [{ id: 'the-key', description: 'The key of the service', secret: true, given: false }],
    });
    await servers.setInput('the-key', 'hunter2-hunter2');
    expect(viewOf(servers, 'one')).toMatchObject({ state: 'ready', inputs: [{ id: 'the-key', given: true }] });
  });

  it('shows nowhere: not on stderr, not in what was said', async () => {
    const { servers } = openServers({ mcpServers: { one: entry } }, { secrets: secrets() });
    await servers.setInput('the-key', 'hunter2-hunter2');
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    await call(servers, 'fine');
    expect(viewOf(servers, 'one').stderr).toEqual(['starting with ***']);
    const said = JSON.stringify(servers.traffic('one').read(0));
    expect(said).toContain('the key is ***');
    expect(JSON.stringify(servers.list()) + said).not.toContain('hunter2');
  });
});

describe('the doctor of a server', () => {
  it('says of one that works what was found, step by step, and starts it for that', async () => {
    const { servers } = openServers({ mcpServers: { ids: scripted('wrong-ids') } });
    const findings = await servers.doctor('ids');
    expect(findings.map(({ name, status }) => [name, status])).toEqual([
      ['Entry', 'ok'],
      ['Command', 'ok'],
      ['Start', 'ok'],
      ['Tools', 'ok'],
    ]);
    expect(findings[1]?.detail).toContain(process.execPath);
  });

  it('says of one that crashes what was run, its exit code, its last words and what to do', async () => {
    const { servers } = openServers({ mcpServers: { crash: scripted('crash-at-start') } });
    const [, , start, output] = await servers.doctor('crash');
    expect(start).toMatchObject({ name: 'Start', status: 'missing' });
    expect(start?.detail).toMatch(/crash-at-start\.ts" ended with exit code 3\..*A file it needs is missing/);
    expect(output?.detail).toContain("Cannot find module 'left-pad'");
  });

  it('says of a missing program where it was looked for and how to get it', async () => {
    const config = { mcpServers: { py: { command: 'uvx', env: { PATH: '/nowhere:/nor/here:/nowhere' } } } };
    const { servers } = openServers(config, { env: { PATH: process.env['PATH'] } });
    expect((await servers.doctor('py')).at(-1)).toMatchObject({
      status: 'missing',
      detail: expect.stringMatching(
        /^The command "uvx" was not found\. It was looked for in \/nowhere, \/nor\/here(?!.*\/nowhere)/,
      ) as string,
      fix: expect.stringContaining('uv is not installed') as string,
    });
    await expect(servers.doctor('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});
