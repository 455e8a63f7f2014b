import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestEndpoint } from '../../fixtures/endpoint.ts';
import { echo, everyPart, parts, PIXEL, testTools } from '../../fixtures/tools.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { httpEndpoint, httpTransport, newClient, streamTransport, testEndpoint } from './clients.ts';

const eras = ['legacy', 'modern'] as const;
const roads = ['stdio', 'HTTP'] as const;
const ways = eras.flatMap((era) => roads.map((road) => ({ era, road })));

interface Connected {
  client: Client;
  served: TestEndpoint;
}

async function connect(
  { era, road }: (typeof ways)[number],
  options: Parameters<typeof newClient>[1] = {},
): Promise<Connected> {
  const served = testEndpoint();
  const transport =
    road === 'stdio' ? streamTransport(served).transport : httpTransport((await httpEndpoint(served)).url);
  const client = newClient(era, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, served };
}

describe.each(ways)('tools lent over $road to a client of the $era era', (way) => {
  it('lists every tool as its author defined it, but for terminate', async () => {
    const { client } = await connect(way);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(testTools.slice(0, -1).map((tool) => tool.name));
    const { title, description, inputSchema, outputSchema, annotations, icons, meta } = echo;
    expect(tools[0]).toEqual({
      name: 'echo',
      title,
      description,
      inputSchema,
      outputSchema,
      annotations,
      icons,
      _meta: meta,
    });
  });

  it('calls a tool and brings structured content back', async () => {
    const { client } = await connect(way);
    const result = await client.callTool({ name: 'echo', arguments: { n: 3 } });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: '{"n":3}' }],
      structuredContent: { input: { n: 3 } },
    });
    expect(result.isError).toBeFalsy();
  });

  it('brings every kind of part back in order, with its own note last, and _meta unchanged', async () => {
    const { client } = await connect(way);
    const result = await client.callTool({ name: 'parts', arguments: {} });
    // The client's own schemas drop fields they do not know; the wire test sees those.
    const known = everyPart.map((part) => part['type']);
    expect(result.content.map((part) => part.type)).toEqual([...known, 'text']);
    expect(result.content[1]).toMatchObject({ type: 'image', data: PIXEL, mimeType: 'image/png' });
    expect(result.content.at(-1)).toEqual({ type: 'text', text: 'the shell was restarted' });
    expect(result.structuredContent).toEqual({ n: 1, deep: { list: [null, 'x'] } });
    expect(result._meta).toMatchObject({ 'example.org/trace': 'abc' });
  });

  it('keeps a string that looks like something else a string', async () => {
    const { client } = await connect(way);
    const input = { command: 'true', file_text: '{"a": [1]}', n: 0 };
    const result = await client.callTool({ name: 'echo', arguments: input });
    expect(result.structuredContent).toEqual({ input });
  });

  it('gives failures as results with isError and all output before them', async () => {
    const { client } = await connect(way);
    const result = await client.callTool({ name: 'broken', arguments: {} });
    expect(result.isError).toBe(true);
    expect(result.content.map((part) => part.type)).toEqual(['text', 'image', 'text']);
  });

  it('names the field when the input does not fit the schema', async () => {
    const { client } = await connect(way);
    const result = await client.callTool({ name: 'echo', arguments: { n: 'three' } });
    expect(result.isError).toBe(true);
    expect(result.content[0]).toMatchObject({ text: expect.stringContaining('"n" must be integer') });
  });

  it('answers an unknown name with the nearest that are lent, and terminate is not one of them', async () => {
    const { client } = await connect(way);
    for (const name of ['ecko', 'terminate']) {
      const result = await client.callTool({ name, arguments: {} });
      expect(result.isError).toBe(true);
      const [part] = result.content;
      const sentence = part?.type === 'text' ? part.text : '';
      expect(sentence).toContain(`There is no tool "${name}".`);
      expect(sentence.replace(`"${name}"`, '')).not.toContain('terminate');
    }
  });

  it('sends progress before the result when the client asks for it', async () => {
    const { client } = await connect(way);
    const seen: unknown[] = [];
    await client.callTool({ name: 'steps', arguments: {} }, { onprogress: (progress) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3].map((step) => ({ progress: step, total: 3, message: `step ${step}` })));
  });

  it('stops the tool when the client cancels the call', async () => {
    const { client, served } = await connect(way);
    const cancel = new AbortController();
    const call = client.callTool({ name: 'hang', arguments: {} }, { signal: cancel.signal });
    await waitFor(() => served.events().some((event) => event.type === 'tool.started'));
    cancel.abort();
    await expect(call).rejects.toThrow();
    const ended = await waitFor(() => served.events().find((event) => event.type === 'tool.ended'));
    expect(ended).toMatchObject({ result: { isError: true } });
  });

  it('says who calls in the log: the app, by the name it gives itself', async () => {
    const { client, served } = await connect(way);
    await client.callTool({ name: 'echo', arguments: {} });
    await client.callTool({ name: 'echo', arguments: {} });
    const via = way.road === 'stdio' ? 'stdio' : 'http';
    const app = { id: `${via}:test app`, name: 'test app' };
    expect(served.opened).toEqual([app]);
    expect(served.events()[0]).toMatchObject({ type: 'tool.started', caller: { kind: 'app', ...app } });
  });

  it('answers a question to a person with an error when nobody is there', async () => {
    const { client } = await connect(way);
    const result = await client.callTool({ name: 'question', arguments: {} });
    expect(result.isError).toBe(true);
  });

  it('tells when the tools have changed', async () => {
    const heard: unknown[] = [];
    const listChanged = { tools: { onChanged: (_error: unknown, tools: unknown) => heard.push(tools), debounceMs: 1 } };
    const { client, served } = await connect(way, { listChanged });
    await client.listTools();
    // Over HTTP the client opens its listening stream by itself, some time after it has connected.
    await waitFor(() => {
      served.setTools(heard.length % 2 ? testTools : [parts, { ...echo }]);
      return heard.length > 0;
    });
    expect(heard[0]).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'parts' })]));
  });
});
