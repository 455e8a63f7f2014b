import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConfigFile } from '../../../src-main/mcp/client/config/config-file.ts';
import type { ServerConfig } from '../../../src-shared/index.ts';
import { KEPT_SECRET } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { openServers, scripted, viewOf, type Setup } from './setup.ts';

/** Two servers that run, each with a mark of the process that it is. */
async function openTwo(): Promise<Setup & { file: string; write(servers: Record<string, ServerConfig>): void }> {
  const setup = openServers({ mcpServers: { one: scripted('faithful'), two: scripted('faithful') } });
  setup.servers.start();
  await setup.servers.settled({ deadlineMs: 30_000 });
  const file = path.join(setup.folder, 'mcp.json');
  return { ...setup, file, write: (servers) => writeFileSync(file, JSON.stringify({ mcpServers: servers })) };
}

/** How often a server came to life, in order of events. */
function countStarts(setup: Setup, name: string): () => number {
  let starts = 0;
  let former: string | undefined;
  setup.servers.onChange(() => {
    const state = setup.servers.list().find((server) => server.name === name)?.state;
    if (state === 'starting' && former !== 'starting') starts += 1;
    former = state;
  });
  return () => starts;
}

describe('a config file that is edited by hand', () => {
  it('restarts the servers whose entry changed, ends those that are gone, starts new ones, and leaves the others alone', async () => {
    const setup = await openTwo();
    const startsOfOne = countStarts(setup, 'one');
    const startsOfTwo = countStarts(setup, 'two');
    setup.write({
      one: scripted('faithful'),
      two: scripted('faithful', { CHANGED: '1' }),
      three: scripted('faithful'),
    });
    await waitFor(() => startsOfTwo() === 1 && viewOf(setup.servers, 'two').state === 'ready');
    await waitFor(() => viewOf(setup.servers, 'three').state === 'ready');
    setup.write({ one: scripted('faithful') });
    await waitFor(() => setup.servers.list().length === 1);
    expect(viewOf(setup.servers, 'one').state).toBe('ready');
    expect(startsOfOne()).toBe(0);
  });

  it('is noticed when an editor puts a new file in its place, and when it is a link to one elsewhere', async () => {
    const elsewhere = temporaryFolder();
    const folder = temporaryFolder();
    writeFileSync(path.join(elsewhere, 'real.json'), '{ "mcpServers": {} }');
    symlinkSync(path.join(elsewhere, 'real.json'), path.join(folder, 'mcp.json'));
    const { servers } = openServers(undefined, { configPath: path.join(folder, 'mcp.json') });
    servers.start();
    const temporary = path.join(elsewhere, 'real.json.tmp');
    writeFileSync(temporary, JSON.stringify({ mcpServers: { one: scripted('faithful') } }));
    renameSync(temporary, path.join(elsewhere, 'real.json'));
    await waitFor(() => servers.list().some(({ state }) => state === 'ready'));
  });

  it('that is broken keeps what runs, says where it is broken, and is well again when it is mended', async () => {
    const setup = await openTwo();
    const good = readFileSync(setup.file, 'utf8');
    writeFileSync(setup.file, '{\n  "mcpServers": { "one": }\n}');
    await waitFor(() => setup.servers.list().length === 3);
    expect(viewOf(setup.servers, 'mcp.json')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('line 2, column 26') as string,
    });
    expect(['one', 'two'].map((name) => viewOf(setup.servers, name).state)).toEqual(['ready', 'ready']);
    writeFileSync(setup.file, good);
    await waitFor(() => setup.servers.list().length === 2);
    expect(['one', 'two'].map((name) => viewOf(setup.servers, name).state)).toEqual(['ready', 'ready']);
  });

  it('loses nothing when two programs change it at once', async () => {
    const file = path.join(temporaryFolder(), 'mcp.json');
    const module = path.resolve(import.meta.dirname, '../../../src-main/mcp/client/config/config-file.ts');
    const script = `const { openConfigFile } = await import(${JSON.stringify(module)});
      const file = openConfigFile(${JSON.stringify(file)});
      for (let n = 0; n < 20; n += 1) file.add(process.argv[1] + n, { command: 'x', args: [], env: {}, disabled: false });`;
    const children = ['a', 'b'].map((name) =>
      spawn(process.execPath, ['--input-type=module', '-e', script, name], { stdio: 'inherit' }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'close')) as unknown[]));
    expect(codes.map(([code]) => code)).toEqual([0, 0]);
    expect(openConfigFile(file).read().entries).toHaveLength(40);
  });
});

describe('changing servers from a page or a terminal', () => {
  it('switches off and on, in the file and at once', async () => {
    const setup = await openTwo();
    expect(await setup.servers.enable('one', false)).toMatchObject({ state: 'off' });
    expect(readFileSync(setup.file, 'utf8')).toContain('"disabled":true'.replace(':', ': '));
    await setup.servers.enable('one', true);
    await waitFor(() => viewOf(setup.servers, 'one').state === 'ready');
    expect(readFileSync(setup.file, 'utf8')).not.toContain('"disabled": true');
  });

  it('renames, and refuses a name that is taken', async () => {
    const { servers } = await openTwo();
    await expect(servers.rename('one', 'two')).rejects.toMatchObject({ code: 'conflict' });
    await servers.rename('one', 'first');
    await waitFor(() => viewOf(servers, 'first').state === 'ready');
    expect(servers.list().map(({ name }) => name)).not.toContain('one');
  });

  it('changes an entry without ever giving its secrets away', async () => {
    const env = { API_KEY: 'secret-1', MODE: 'fast', NAMED: '${env:HOME}' };
    const config = scripted('faithful', env);
    const { servers, folder } = openServers({ mcpServers: { one: config } });
    const shown = servers.configOf('one');
    expect(shown).toMatchObject({ env: { API_KEY: KEPT_SECRET, MODE: 'fast', NAMED: '${env:HOME}' } });
    await servers.update('one', { ...shown, env: { API_KEY: KEPT_SECRET, MODE: 'slow' } });
    const written = JSON.parse(readFileSync(path.join(folder, 'mcp.json'), 'utf8')) as unknown;
    expect(written).toMatchObject({ mcpServers: { one: { env: { API_KEY: 'secret-1', MODE: 'slow' } } } });
    await expect(servers.update('one', { ...shown, command: '' })).rejects.toMatchObject({ code: 'bad_input' });
    await expect(servers.update('none', shown)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('adds several at once, or none', async () => {
    const { servers } = await openTwo();
    const taken = { name: 'two', config: scripted('faithful') };
    await expect(servers.addAll([{ name: 'new', config: scripted('faithful') }, taken])).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(servers.list()).toHaveLength(2);
    await servers.addAll([{ name: 'new', config: scripted('faithful') }]);
    await waitFor(() => viewOf(servers, 'new').state === 'ready');
  });
});

describe('a server that comes with Causeway', () => {
  const builtIn = [{ name: 'browser', config: { ...scripted('faithful'), toolPrefix: false } }];

  it('is there without standing in the file, and offers its tools under their own names', async () => {
    const { servers } = openServers(undefined, { builtIn });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    const view = viewOf(servers, 'browser');
    expect(view).toMatchObject({ state: 'ready', builtIn: true });
    expect(view.tools.map(({ name }) => name)).toEqual(view.tools.map(({ originalName }) => originalName));
  });

  it('can be switched off for good, and on again', async () => {
    const { servers, folder } = openServers(undefined, { builtIn });
    const file = path.join(folder, 'mcp.json');
    await servers.enable('browser', false);
    expect(viewOf(servers, 'browser')).toMatchObject({ state: 'off', builtIn: true });
    const again = openServers(readFileSync(file, 'utf8'), { builtIn });
    again.servers.start();
    expect(viewOf(again.servers, 'browser').state).toBe('off');
    await again.servers.enable('browser', true);
    await waitFor(() => viewOf(again.servers, 'browser').state === 'ready');
    expect(readFileSync(path.join(again.folder, 'mcp.json'), 'utf8')).not.toContain('browser');
  });

  it('gives way to an entry of the person’s own', () => {
    const own = { command: 'my-browser' };
    const { servers } = openServers({ mcpServers: { browser: own } }, { builtIn });
    expect(servers.list()).toHaveLength(1);
    expect(viewOf(servers, 'browser').target).toBe('my-browser');
  });
});
