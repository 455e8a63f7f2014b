import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, packaged, programOf, toolOf, viewOf } from './setup.ts';

const EVERYTHING = '@modelcontextprotocol/server-everything';

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Runs server-everything behind HTTP and waits until it listens. */
async function everythingOver(kind: 'streamableHttp' | 'sse'): Promise<{ port: number; process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [programOf(EVERYTHING), kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await waitFor(() => /port \d+/.test(said), { what: 'the server to listen' });
  return { port, process: child };
}

describe('server-everything over stdio', () => {
  it('starts from the config file without holding anything up, and says who it is', async () => {
    const { servers } = openServers({
      mcpServers: { all: packaged(EVERYTHING), not: { command: 'x', disabled: true } },
    });
    expect(servers.list().map(({ state }) => state)).toEqual(['off', 'off']);
    servers.start();
    await waitFor(() => viewOf(servers, 'all').state === 'starting');
    expect(servers.tools()).toEqual([]);
    await servers.settled({ deadlineMs: 30_000 });
    expect(viewOf(servers, 'all')).toMatchObject({
      state: 'ready',
      transport: 'stdio',
      serverInfo: { name: 'mcp-servers/everything' },
      stderr: ['Starting default (STDIO) server...'],
    });
    expect(viewOf(servers, 'not')).toMatchObject({
      state: 'off',
      message: expect.stringContaining('switched off') as string,
    });
    expect(servers.instructions()).toEqual([{ server: 'all', text: expect.stringContaining('Everything') as string }]);
    expect(toolOf(servers, 'echo')).toMatchObject({
      name: 'mcp_all_echo',
      origin: { kind: 'server', server: 'all', originalName: 'echo' },
    });
  });

  it('gives images, resources, annotations and structured content as they are', async () => {
    const { servers } = openServers();
    await servers.attach('all', packaged(EVERYTHING));
    const image = await call(servers, 'get-tiny-image');
    expect(image.content.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    const weather = await call(servers, 'get-structured-content', { location: 'Chicago' });
    expect(weather.structuredContent).toHaveProperty('temperature');
    expect(toolOf(servers, 'get-structured-content').outputSchema).toHaveProperty('properties.temperature');
    const resource = await call(servers, 'get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(resource.content[1]).toMatchObject({ type: 'resource', resource: { mimeType: 'text/plain' } });
    const annotated = await call(servers, 'get-annotated-message', { messageType: 'error', includeImage: true });
    expect(annotated.content[0]).toMatchObject({ annotations: { priority: 1, audience: ['user', 'assistant'] } });
  });

  it('passes progress on, and a failure as a failed result', async () => {
    const { servers } = openServers();
    await servers.attach('all', packaged(EVERYTHING));
    const seen: unknown[] = [];
    const output = { write: () => undefined, progress: (progress: unknown) => void seen.push(progress) };
    await call(servers, 'trigger-long-running-operation', { duration: 0.2, steps: 2 }, { output });
    expect(seen).toContainEqual({ progress: 1, total: 2 });
    expect(await call(servers, 'echo', {})).toMatchObject({ isError: true, content: [{ type: 'text' }] });
  });

  it('gets a few variables of our environment and those of its entry, no more', async () => {
    const { servers } = openServers(undefined, { env: { ...process.env, OPENAI_API_KEY: 'secret', MINE: 'mine' } });
    await servers.attach('all', { ...packaged(EVERYTHING), env: { GIVEN: '${env:MINE}' } });
    const said = JSON.stringify((await call(servers, 'get-env')).content);
    expect(said).toContain('GIVEN');
    expect(said).toContain('mine');
    expect(said).not.toContain('secret');
  });
});

describe('server-everything over HTTP', () => {
  it('is reached over Streamable HTTP', async () => {
    const { port } = await everythingOver('streamableHttp');
    const { servers } = openServers();
    const view = await servers.add('web', { url: `http://127.0.0.1:${port}/mcp`, headers: {}, disabled: false });
    expect(view).toMatchObject({ state: 'ready', transport: 'http', target: `http://127.0.0.1:${port}/mcp` });
    expect(await call(servers, 'echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'Echo: hi' }] });
  });

  it('is reached over Server-Sent Events where it answers nothing else', async () => {
    const { port } = await everythingOver('sse');
    const { servers } = openServers();
    const view = await servers.add('old', { url: `http://127.0.0.1:${port}/sse`, headers: {}, disabled: false });
    expect(view).toMatchObject({ state: 'ready', transport: 'sse' });
    expect(await call(servers, 'echo', { message: 'hi' })).toMatchObject({ content: [{ text: 'Echo: hi' }] });
    expect(await servers.restart('old')).toMatchObject({ state: 'ready', transport: 'sse' });
  });

  it.each(['streamableHttp', 'sse'] as const)(
    'over %s becomes a stopped server when it dies, and comes back',
    async (kind) => {
      const { port, process: child } = await everythingOver(kind);
      const { servers } = openServers();
      const path = kind === 'sse' ? 'sse' : 'mcp';
      await servers.add('web', { url: `http://127.0.0.1:${port}/${path}`, headers: {}, disabled: false });
      const echo = toolOf(servers, 'echo');
      child.kill('SIGKILL');
      await once(child, 'exit');
      if (kind === 'streamableHttp')
        await expect(call(servers, 'echo', { message: 'x' })).rejects.toMatchObject({ code: 'unavailable' });
      await waitFor(() => viewOf(servers, 'web').state === 'stopped', { what: 'the server to be stopped' });
      expect(servers.tools()).not.toContain(echo);
      expect(await servers.restart('web')).toMatchObject({
        state: 'failed',
        message: expect.stringContaining('Nothing answers there') as string,
      });
    },
  );

  it('that is not there is a failed server with a sentence', async () => {
    const { servers } = openServers();
    const view = await servers.add('web', {
      url: `http://127.0.0.1:${await freePort()}/mcp`,
      headers: {},
      disabled: false,
    });
    expect(view).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/Nothing answers there.*ECONNREFUSED/) as string,
    });
  });
});

describe('server-filesystem', () => {
  it('reads a file of the folder it was given, and refuses others', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.txt'), '内容\n');
    const { servers } = openServers();
    await servers.attach('files', packaged('@modelcontextprotocol/server-filesystem', [folder]));
    const read = await call(servers, 'read_text_file', { path: path.join(folder, 'a.txt') });
    expect(read).toMatchObject({ isError: false, content: [{ type: 'text', text: '内容\n' }] });
    expect(await call(servers, 'read_text_file', { path: '/etc/hostname' })).toMatchObject({ isError: true });
    expect(toolOf(servers, 'read_text_file').annotations).toMatchObject({ readOnlyHint: true });
  });
});
