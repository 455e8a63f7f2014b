import { describe, expect, it } from 'vitest';
import { expandTemplate } from '../../../src-main/mcp/client/index.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { call, openServers, packaged, scripted, viewOf } from './setup.ts';

const signal = new AbortController().signal;

async function everything() {
  const { servers } = openServers();
  await servers.attach('all', packaged('@modelcontextprotocol/server-everything'));
  await waitFor(() => servers.beside.list().prompts.length > 0 && servers.beside.list().resources.length > 0);
  return servers;
}

async function offering(name = 'offering') {
  const { servers } = openServers();
  await servers.attach('it', scripted(name));
  await waitFor(() => servers.beside.list().prompts.length > 0 && servers.beside.list().resources.length > 0);
  return servers;
}

describe('server-everything', () => {
  it('has its resources, templates and prompts listed, with whose they are', async () => {
    const { resources, templates, prompts } = (await everything()).beside.list();
    expect(resources[0]).toMatchObject({ server: 'all', uri: expect.any(String) as string });
    expect(templates.map(({ uriTemplate, variables }) => [uriTemplate, variables])).toContainEqual([
      'demo://resource/dynamic/text/{resourceId}',
      ['resourceId'],
    ]);
    expect(prompts.find(({ arguments: wanted }) => wanted.some(({ required }) => required))).toBeDefined();
  });

  it('has a resource read by an address that a template makes', async () => {
    const servers = await everything();
    const uri = expandTemplate('demo://resource/dynamic/text/{resourceId}', { resourceId: '7' });
    expect(uri).toBe('demo://resource/dynamic/text/7');
    expect(await servers.beside.read('all', uri, signal)).toMatchObject([
      { type: 'resource', resource: { uri, text: expect.stringContaining('7') as string } },
    ]);
  });

  it('has a prompt filled in, and its arguments suggested', async () => {
    const servers = await everything();
    const { messages } = await servers.beside.prompt('all', 'args-prompt', { city: 'Rome' }, signal);
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
    expect(JSON.stringify(messages)).toContain('Rome');
    const suggested = await servers.beside.complete(
      'all',
      { prompt: 'completable-prompt' },
      { name: 'department', value: 'E' },
      {},
    );
    expect(suggested).toContain('Engineering');
  });

  it('says in a sentence when a resource is not there', async () => {
    const servers = await everything();
    await expect(servers.beside.read('all', 'demo://no/such', signal)).rejects.toMatchObject({
      code: 'protocol',
      message: expect.stringContaining('"all" did not give it') as string,
    });
  });
});

describe.each(['offering', 'offering-modern'])('a server that offers things (%s)', (name) => {
  it('has every page of its lists read, and odd entries left out', async () => {
    const { resources, prompts } = (await offering(name)).beside.list();
    expect(resources.map(({ uri }) => uri)).toEqual(['it://1', 'it://2', 'it://3']);
    expect(prompts).toMatchObject([{ name: 'greet', arguments: [{ name: 'who', required: true }] }]);
  });

  it('has its lists read again when it says that they changed', async () => {
    const servers = await offering(name);
    await call(servers, 'more');
    await waitFor(() => servers.beside.list().resources.length === 4);
    await waitFor(() => servers.beside.list().prompts.length === 2);
  });

  it('says when a watched resource changes, and is not watched any more when nobody wants it', async () => {
    const servers = await offering(name);
    const seen: unknown[] = [];
    servers.beside.onResourceUpdated((resource) => seen.push(resource));
    await servers.beside.subscribe('it', 'it://2');
    await call(servers, 'touch', { uri: 'it://2' });
    await waitFor(() => seen.length === 1);
    expect(seen).toEqual([{ server: 'it', uri: 'it://2' }]);
    await servers.beside.unsubscribe('it', 'it://2');
    await call(servers, 'touch', { uri: 'it://2' });
    expect(seen).toHaveLength(1);
  });

  it('writes its log beside its stderr, from the level on that was asked for', async () => {
    const { servers } = openServers();
    await servers.attach('it', { ...scripted(name), logLevel: 'warning' });
    await call(servers, 'log');
    await waitFor(() => viewOf(servers, 'it').stderr.some((line) => line === '[error] disk: {"left":0}'));
    expect(viewOf(servers, 'it').stderr.join()).toContain('level: warning');
  });

  it('has none of it any more when it is gone', async () => {
    const servers = await offering(name);
    await servers.remove('it');
    expect(servers.beside.list()).toEqual({ resources: [], templates: [], prompts: [] });
  });
});

describe('a server of 2026-07-28 that ends its stream of notices', () => {
  it('is listened to again, and what was missed is seen', async () => {
    const servers = await offering('offering-modern');
    await call(servers, 'end_streams');
    await waitFor(() => servers.beside.list().resources.some(({ uri }) => uri === 'it://unseen'));
    await call(servers, 'more');
    await waitFor(() => servers.beside.list().prompts.length === 2);
  });
});

describe('a server that announces nothing', () => {
  it('has its tools listed again on request; nobody is told when they are the same', async () => {
    const { servers } = openServers();
    await servers.attach('it', scripted('quiet-change'));
    const before = servers.tools();
    await call(servers, 'idle');
    await servers.relist();
    expect(servers.tools()).toBe(before);
    await call(servers, 'grow');
    expect(servers.tools()).toBe(before);
    await servers.relist();
    expect(servers.tools().map(({ name }) => name)).toContain('mcp_it_grown');
  });
});
