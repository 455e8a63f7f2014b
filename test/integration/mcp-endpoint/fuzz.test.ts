import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serveStdio } from '../../../src-main/mcp/endpoint/index.ts';
import { httpEndpoint, testEndpoint } from './clients.ts';
import { initialize, listTools, modernRequest, send } from './raw-http.ts';

const method = fc.oneof(
  fc.constantFrom(
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'server/discover',
    'subscriptions/listen',
    'logging/setLevel',
    'notifications/cancelled',
    'notifications/initialized',
    'notifications/progress',
    '__proto__',
  ),
  fc.string(),
);
const anyJson = fc.jsonValue({ maxDepth: 3 });
const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double(), anyJson);
const meta = fc.oneof(
  anyJson,
  fc.record({
    'io.modelcontextprotocol/protocolVersion': fc.oneof(fc.constantFrom('2026-07-28', '2025-11-25'), anyJson),
    'io.modelcontextprotocol/clientInfo': anyJson,
    'io.modelcontextprotocol/clientCapabilities': anyJson,
    progressToken: anyJson,
  }),
);
const params = fc.oneof(
  anyJson,
  fc.record(
    {
      name: fc.oneof(fc.constantFrom('echo', 'broken', '__proto__'), anyJson),
      arguments: anyJson,
      _meta: meta,
      requestId: id,
    },
    { requiredKeys: [] },
  ),
);
/** Messages near enough to right ones to get far, and wrong in every place. */
const message = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0'), id, method, params }, { requiredKeys: [] }),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      { jsonrpc: fc.constant('2.0'), id, result: anyJson, error: anyJson },
      { requiredKeys: ['jsonrpc'] },
    ),
  },
  { weight: 1, arbitrary: anyJson },
);
const line = fc.oneof(
  { weight: 8, arbitrary: message.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.tuple(message, fc.nat(60)).map(([value, cut]) => JSON.stringify(value).slice(0, cut)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.nat(5000).map((depth) => '['.repeat(depth)) },
);

describe('thousands of malformed messages', () => {
  it('neither end the stdio server nor make it write anything but JSON-RPC', async () => {
    const served = testEndpoint();
    let lines = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 100, maxLength: 100 }), async (junk) => {
        const input = new PassThrough();
        const output = new PassThrough();
        const written: string[] = [];
        const { promise: answered, resolve } = Promise.withResolvers<undefined>();
        let rest = '';
        output.setEncoding('utf8').on('data', (chunk: string) => {
          const parts = (rest + chunk).split('\n');
          rest = parts.pop() ?? '';
          written.push(...parts);
          if (written.some((part) => part.includes('"id":"the last"'))) resolve(undefined);
        });
        const ended = serveStdio(served.endpoint, { input, output });
        for (const text of junk) input.write(`${text.replaceAll('\n', ' ')}\n`);
        input.write(`${initialize}\n`);
        // Whatever era the junk has opened, this has an answer.
        const last = JSON.parse(modernRequest('tools/list', {}).body ?? '');
        input.write(`${JSON.stringify({ ...last, id: 'the last' })}\n`);
        await answered;
        input.end();
        await ended;
        for (const text of written) expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' });
        lines += junk.length;
      }),
      { numRuns: 40 },
    );
    expect(lines).toBeGreaterThanOrEqual(4000);
  });

  it('neither end the HTTP server nor get anything but an orderly answer', async () => {
    const { port } = await httpEndpoint(testEndpoint());
    const { headers } = await send(port, { body: initialize });
    const session = { 'Mcp-Session-Id': String(headers['mcp-session-id']) };
    const header = fc.oneof(
      fc.constant({}),
      fc.constant(session),
      fc.constant({ 'MCP-Protocol-Version': '2026-07-28' }),
    );
    // A right subscription, or a call that never ends, would answer with a stream that stays open.
    const body = line.filter((text) => !text.includes('subscriptions/listen'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(body, header), { minLength: 20, maxLength: 20 }), async (junk) => {
        const answers = await Promise.all(junk.map(([text, more]) => send(port, { body: text, headers: more })));
        for (const { status } of answers) expect(status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
    expect((await send(port, { body: listTools, headers: session })).status).toBe(200);
  });
});
