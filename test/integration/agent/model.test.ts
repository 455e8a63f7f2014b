import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOpenAIModel, findLocalEndpoints, type ModelChunk } from '../../../src-main/agent/index.ts';
import { CausewayError } from '../../../src-shared/index.ts';
import { openAgentBench } from '../../fixtures/agent.ts';
import { startModelServer, type Reply } from '../../fixtures/model-server/index.ts';
import { echo, parts } from '../../fixtures/tools.ts';

const request = { messages: [{ role: 'user' as const, text: 'Hello' }], tools: [] };

/** Everything a model says to one request. */
async function listen(baseUrl: string): Promise<ModelChunk[]> {
  const model = createOpenAIModel({ baseUrl, apiKey: 'secret-key', model: 'scripted' });
  const chunks: ModelChunk[] = [];
  for await (const chunk of model.stream(request, new AbortController().signal)) chunks.push(chunk);
  return chunks;
}

async function errorOf(work: Promise<unknown>): Promise<CausewayError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CausewayError)) throw new Error(`No CausewayError, but ${String(error)}`);
  return error;
}

describe('an OpenAI-compatible endpoint', () => {
  test('streams text, whole tool calls, usage and the end, in this order', async () => {
    const calls = [
      { id: 'a', name: 'first', arguments: { text: 'some longer text' } },
      { id: 'b', name: 'second', arguments: {} },
    ];
    const { baseUrl, received } = await startModelServer([{ text: 'Two calls.', calls }]);
    const chunks = await listen(baseUrl);
    const said = chunks.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('');
    expect(said).toBe('Two calls.');
    expect(chunks.filter(({ type }) => type !== 'text')).toEqual([
      { type: 'usage', promptTokens: 100, completionTokens: 10 },
      { type: 'tool_call', call: { id: 'a', name: 'first', arguments: '{"text":"some longer text"}' } },
      { type: 'tool_call', call: { id: 'b', name: 'second', arguments: '{}' } },
      { type: 'end', reason: 'tool_calls' },
    ]);
    expect(received[0]?.authorization).toBe('Bearer secret-key');
  });

  test.each([
    { status: 401, code: 'refused', says: /does not accept the key/, hint: /key in Settings/ },
    { status: 403, code: 'refused', says: /does not allow/, hint: /key/ },
    { status: 404, code: 'refused', says: /no model "scripted"/, hint: /model name/ },
    { status: 400, code: 'bad_input', says: /did not accept the request/, hint: /Settings/ },
  ])('$status is told at once, with the setting to look at', async ({ status, code, says, hint }) => {
    const { baseUrl, received } = await startModelServer([{ status, message: 'the reason' }]);
    const error = await errorOf(listen(baseUrl));
    expect(error).toMatchObject({ code, message: expect.stringMatching(says), hint: expect.stringMatching(hint) });
    expect(error.message).not.toContain('secret-key');
    expect(received).toHaveLength(1);
  });

  test.each([429, 503])('%i is waited out, and the person is told', async (status) => {
    const busy: Reply = { status, headers: { 'retry-after-ms': '5' } };
    const { baseUrl, received } = await startModelServer([busy, busy, { text: 'Now.' }]);
    const chunks = await listen(baseUrl);
    expect(chunks.filter(({ type }) => type === 'notice')).toHaveLength(2);
    expect(chunks.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    expect(received).toHaveLength(3);
  });

  test('an endpoint that stays busy is given up on', async () => {
    const { baseUrl } = await startModelServer([{ status: 429, headers: { 'retry-after-ms': '1' } }]);
    expect(await errorOf(listen(baseUrl))).toMatchObject({ code: 'unavailable' });
  });

  test('a wait that is too long to sit out is told at once', async () => {
    const { baseUrl, received } = await startModelServer([{ status: 429, headers: { 'Retry-After': '3600' } }]);
    await errorOf(listen(baseUrl));
    expect(received).toHaveLength(1);
  });

  test('a refused connection is told in words', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const address = free.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    free.close();
    await once(free, 'close');
    const error = await errorOf(listen(`http://127.0.0.1:${port}/v1`));
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/refused the connection/) });
    expect(error.hint).toMatch(/running/);
  });

  test.each([
    ['a web page', { 'content-type': 'text/html' }, '<html>Welcome</html>', 'answered, but not as a model does'],
    ['broken JSON', { 'content-type': 'text/event-stream' }, 'data: {not json\n\n', 'could not be read'],
    [
      'JSON of another kind',
      { 'content-type': 'text/event-stream' },
      'data: null\n\ndata: 5\n\n',
      'not as a model does',
    ],
  ])('%s instead of an answer is told in words, and in no others', async (_what, headers, body, words) => {
    const server = createHttpServer((_request, response) => response.writeHead(200, headers).end(body));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const complained = vi.spyOn(console, 'error');
    onTestFinished(() => complained.mockRestore());
    const port = typeof address === 'object' ? address?.port : undefined;
    const error = await errorOf(listen(`http://127.0.0.1:${port}/v1`));
    expect(error).toMatchObject({ code: 'protocol', message: expect.stringContaining(words) });
    expect(complained).not.toHaveBeenCalled();
  });

  test('an answer that breaks off is told in words', async () => {
    const { baseUrl } = await startModelServer([{ text: 'Half an', then: 'cut' }]);
    expect(await errorOf(listen(baseUrl))).toMatchObject({
      code: 'unavailable',
      message: 'The connection to the model broke off in the middle of its answer.',
    });
  });

  test.each([
    ['in many chunks', '', `data: {"choices":[{"index":0,"delta":{"content":"${'x'.repeat(1_000_000)}"}}]}\n\n`],
    ['in one chunk', 'data: ', 'x'.repeat(1_000_000)],
  ])('an answer without an end, %s, is not listened to for ever', async (_how, opening, piece) => {
    const server = createHttpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`: stream\n\n${opening}`);
      const more = (): void => void (response.writable && response.write(piece, () => setImmediate(more)));
      response.on('error', () => undefined);
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const address = server.address();
    const error = await errorOf(listen(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`));
    expect(error).toMatchObject({ code: 'protocol', message: expect.stringContaining('did not end after 64 MB') });
  });

  test('a host name that is not known is told in words', async () => {
    const error = await errorOf(listen('http://no-such-host.invalid/v1'));
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/not known|looked up/) });
  });
});

describe('faults of the endpoint during a run', () => {
  test('a stream that breaks is a model error, not a success, and its calls do not run', async () => {
    const broken: Reply = { text: 'I call', calls: [{ name: 'echo', arguments: {} }], then: 'cut' };
    const bench = await openAgentBench({ tools: [echo], replies: [broken, { text: 'Back.' }] });
    expect(await bench.run()).toMatchObject({ outcome: 'model_error' });
    expect(bench.eventsOf('tool.started')).toEqual([]);
    expect(await bench.run('Go on.')).toMatchObject({ outcome: 'done', message: 'Back.' });
  });

  test('a refused key ends the run as a model error with the hint', async () => {
    const bench = await openAgentBench({ replies: [{ status: 401 }] });
    const end = await bench.run();
    expect(end.outcome).toBe('model_error');
    expect(end.message).toMatch(/Settings/);
  });

  test('an answer cut at the length limit is not a success', async () => {
    const bench = await openAgentBench({ replies: [{ text: 'A long', finish: 'length' }] });
    expect(await bench.run()).toMatchObject({ outcome: 'model_error', message: expect.stringMatching(/length limit/) });
  });

  test('an empty answer is not a success', async () => {
    const bench = await openAgentBench({ replies: [{}, { text: 'Here.' }] });
    expect(await bench.run()).toMatchObject({ outcome: 'model_error' });
    expect(await bench.run('Well?')).toMatchObject({ outcome: 'done' });
  });

  test('a conversation that is too long for the endpoint is sent again, shorter', async () => {
    const wordy = {
      ...echo,
      name: 'wordy',
      execute: () =>
        Promise.resolve({ content: [{ type: 'text' as const, text: 'word '.repeat(5000) }], isError: false }),
    };
    const refuse = (limit: number) => (asked: { messages: object[] }) =>
      JSON.stringify(asked.messages).length > limit
        ? { status: 400, message: 'maximum context length exceeded' }
        : { text: 'Fits.' };
    const call: Reply = { calls: [{ name: 'wordy', arguments: {} }] };
    const calls = Array.from({ length: 12 }, () => call);
    const bench = await openAgentBench({ tools: [wordy], replies: [...calls, refuse(250_000)] });
    expect(await bench.run()).toMatchObject({ outcome: 'done', message: 'Fits.' });
    expect(bench.server.received.length).toBeGreaterThan(13);
  });

  test('an endpoint that takes no images gets words instead', async () => {
    const refuse = (asked: { messages: object[] }): Reply =>
      JSON.stringify(asked.messages).includes('image_url')
        ? { status: 400, message: 'this model does not support image input' }
        : { text: 'Fine.' };
    const call: Reply = { calls: [{ name: 'parts', arguments: {} }] };
    const bench = await openAgentBench({ tools: [parts], replies: [call, refuse] });
    expect(await bench.run()).toMatchObject({ outcome: 'done', message: 'Fine.' });
  });
});

test('local model servers are found with their models, and nothing else is', async () => {
  await using cleanup = new AsyncDisposableStack();
  const open = async (body: string): Promise<string> => {
    const server = createHttpServer((_request, response) => response.end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.defer(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  };
  const ollama = { name: 'Ollama', baseUrl: await open('{"object":"list","data":[{"id":"qwen3:8b"},{"id":"llama"}]}') };
  const other = { name: 'Other', baseUrl: await open('<html>') };
  const found = await findLocalEndpoints(AbortSignal.timeout(5000), [ollama, other]);
  expect(found).toEqual([{ ...ollama, models: ['qwen3:8b', 'llama'] }]);
});
