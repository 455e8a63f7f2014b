import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { echo, PIXEL, testTools } from '../../fixtures/tools.ts';
import { waitFor } from '../../fixtures/wait.ts';
import {
  httpEndpoint,
  httpTransport,
  MODERN,
  newClient,
  oldClient,
  oldHttpTransport,
  oldStdioTransport,
  stdioTransport,
  testEndpoint,
} from './clients.ts';

const lent = testTools.slice(0, -1).map((tool) => tool.name);

async function inMemory(): Promise<OldTransport> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = testEndpoint().endpoint.open({ via: 'test', era: 'legacy', lasts: 'connection' });
  await server.connect(there);
  return here;
}

const oldRoads: [string, () => Promise<OldTransport>][] = [
  ['in memory', inMemory],
  ['over stdio', () => Promise.resolve(oldStdioTransport())],
  ['over HTTP', async () => oldHttpTransport((await httpEndpoint(testEndpoint())).url)],
];

describe.each(oldRoads)('a client of SDK 1.x %s', (_road, transport) => {
  it('lists, calls, follows progress, gets images and errors', async () => {
    const client = oldClient();
    await client.connect(await transport());
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(lent);
    expect(tools[0]).toMatchObject({
      title: echo.title,
      inputSchema: echo.inputSchema,
      outputSchema: echo.outputSchema,
    });

    const echoed = await client.callTool({ name: 'echo', arguments: { command: 'true' } });
    expect(echoed.structuredContent).toEqual({ input: { command: 'true' } });

    const failed = await client.callTool({ name: 'broken', arguments: {} });
    expect(failed.isError).toBe(true);
    expect(failed.content).toContainEqual({ type: 'image', data: PIXEL, mimeType: 'image/png' });

    const progress: number[] = [];
    const stop = new AbortController();
    const { signal } = stop;
    // This client forgets progress that it reads together with the answer, so the answer must not be there yet.
    function onprogress(step: { progress: number }): void {
      progress.push(step.progress);
      if (progress.length === 3) stop.abort();
    }
    const held = client.callTool({ name: 'steps', arguments: { hold: true } }, undefined, { onprogress, signal });
    await expect(held).rejects.toThrow();
    expect(progress).toEqual([1, 2, 3]);
  });
});

describe.each(['legacy', 'modern'] as const)('a client of SDK 2.x in the %s era', (era) => {
  it.each(['stdio', 'HTTP'])('speaks its own revision with a real %s server', async (road) => {
    const client = newClient(era);
    await client.connect(road === 'stdio' ? stdioTransport() : httpTransport((await httpEndpoint(testEndpoint())).url));
    onTestFinished(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe(era === 'modern' ? MODERN : '2025-11-25');
    expect(client.getServerVersion()).toMatchObject({ name: 'causeway', title: 'Causeway' });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(lent);
    const result = await client.callTool({ name: 'echo', arguments: { n: 1 } });
    expect(result.structuredContent).toEqual({ input: { n: 1 } });
  });
});

describe('apps side by side', () => {
  it('have a session each, shared by all connections of one app', async () => {
    const served = testEndpoint();
    const { url } = await httpEndpoint(served);
    const clients = [oldClient('one'), oldClient('two'), oldClient('one')];
    for (const client of clients) {
      await client.connect(oldHttpTransport(url));
      onTestFinished(() => client.close());
      await client.callTool({ name: 'echo', arguments: {} });
    }
    expect(served.opened.map((app) => app.id)).toEqual(['http:one', 'http:two']);
  });

  it('hear of changed tools in every open session', async () => {
    const served = testEndpoint();
    const { url } = await httpEndpoint(served);
    const heard = new Set<string>();
    for (const name of ['one', 'two']) {
      const client = oldClient(name);
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.add(name));
      await client.connect(oldHttpTransport(url));
      onTestFinished(() => client.close());
    }
    // The stream on which a client listens opens by itself, some time after it has connected.
    await waitFor(() => {
      served.setTools([{ ...echo }]);
      return heard.size === 2;
    });
  });
});
