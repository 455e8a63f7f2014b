import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src-main/sandbox/index.ts';
import { shellPolicy, withoutSecrets } from '../../../src-main/tools/bash/index.ts';
import type { JsonObject } from '../../../src-shared/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { forwarder } from '../../fixtures/program-files.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { call, openServers, scripted, viewOf } from './setup.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** A server in a sandbox, with a workspace and a folder that is none of its business. */
async function open(sandbox: JsonObject, env: Record<string, string> = {}) {
  const [workspace, elsewhere, dataFolder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  writeFileSync(path.join(workspace, 'own.txt'), 'mine');
  writeFileSync(path.join(elsewhere, 'private.txt'), 'not yours');
  const { servers } = openServers(undefined, {
    folder: workspace,
    sandbox: {
      sandbox: createSandbox({
        searchPath: process.env['PATH'] ?? '',
        forwarder,
      }),
      policy: shellPolicy,
      withoutSecrets,
      dataFolder,
    },
  });
  const config = { ...scripted('looks-around', env), sandboxEnabled: true, sandbox };
  const view = await servers.attach('kept', config);
  const text = async (tool: string, input: JsonObject): Promise<string> => {
    const [part] = (await call(servers, tool, input)).content;
    return part?.type === 'text' ? part.text : '';
  };
  return { servers, view, workspace, elsewhere, text };
}

async function webServer(): Promise<string> {
  const server = createServer((_request, response) => response.end('reached')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!hasBubblewrap)('a server with "sandboxEnabled" (needs bubblewrap)', () => {
  it('works, sees its folder, and neither other files nor the network', async () => {
    const { view, workspace, elsewhere, text } = await open({});
    expect(view).toMatchObject({ state: 'ready', sandboxed: true });
    expect(await text('read', { path: path.join(workspace, 'own.txt') })).toBe('mine');
    expect(await text('read', { path: path.join(elsewhere, 'private.txt') })).toContain('refused');
    expect(await text('write', { path: path.join(workspace, 'new.txt') })).toContain('refused');
    expect(await text('reach', { url: `http://${await webServer()}/` })).toContain('refused');
  });

  it('writes where its entry lets it, except where that forbids it', async () => {
    const { workspace, text } = await open({
      filesystem: { allowWrite: ['${workspaceFolder}'], denyWrite: ['${workspaceFolder}/own.txt'] },
    });
    expect(await text('write', { path: path.join(workspace, 'new.txt') })).toBe('written');
    expect(readFileSync(path.join(workspace, 'new.txt'), 'utf8')).toBe('written');
    expect(await text('write', { path: path.join(workspace, 'own.txt') })).toContain('refused');
  });

  it('does not see what its entry hides', async () => {
    const { workspace, text } = await open({ filesystem: { denyRead: ['own.txt'] } });
    expect(await text('read', { path: path.join(workspace, 'own.txt') })).not.toContain('mine');
  });

  it('reaches the hosts that its entry names, and no others', async () => {
    const [allowed, other] = [await webServer(), await webServer()];
    const { text } = await open({ network: { allowedDomains: [allowed] } });
    expect(await text('reach', { url: `http://${allowed}/` })).toBe('reached');
    expect(await text('reach', { url: `http://${other}/` })).not.toContain('reached');
  });

  it('has the keys of its entry', async () => {
    const { text } = await open({}, { SERVICE_API_KEY: 'given' });
    expect(await text('env', { variable: 'SERVICE_API_KEY' })).toBe('given');
  });

  it('is all gone when it is stopped', async () => {
    const { servers } = await open({});
    const running = (): string[] => commandLinesWith(path.join(ROOT, 'test/fixtures/servers/looks-around.ts'));
    expect(running().length).toBeGreaterThan(0);
    await servers.remove('kept');
    expect(running()).toEqual([]);
  });

  it.each([
    ['rules that are none', { filesystem: 'all' }, '"sandbox.filesystem" is not right'],
    ['a hidden place in a writable one', { filesystem: { allowWrite: ['a'], denyRead: ['a/b'] } }, 'is to be hidden'],
    ['a place that is not there', { filesystem: { allowWrite: ['nowhere'] } }, 'does not exist'],
    ['a host both allowed and denied', { network: { allowedDomains: ['*.a.b'], deniedDomains: ['x.a.b'] } }, 'x.a.b'],
  ])('does not run with %s', async (_what, rules, reason) => {
    const { view } = await open(rules);
    expect(view).toMatchObject({ state: 'failed', message: expect.stringContaining(reason) as string });
  });
});

describe('where there is no sandbox', () => {
  it('a server that needs one is not started without', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'x'));
    const { servers } = openServers({ mcpServers: { kept: { ...scripted('looks-around'), sandboxEnabled: true } } });
    servers.start();
    await servers.settled({ deadlineMs: 30_000 });
    expect(viewOf(servers, 'kept')).toMatchObject({
      state: 'failed',
      message: expect.stringContaining('It must run in a sandbox') as string,
    });
  });
});
