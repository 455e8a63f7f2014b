import fc from 'fast-check';
import { InMemoryTransport, type JSONRPCMessage, type Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { toServedTool } from '../../../src-main/mcp/endpoint/definitions.ts';
import { createEndpoint } from '../../../src-main/mcp/endpoint/index.ts';
import { toCallToolResult } from '../../../src-main/mcp/endpoint/results.ts';
import type { Tool } from '../../../src-main/tools/index.ts';
import { success, type ContentPart, type JsonSchema, type ToolResult } from '../../../src-shared/index.ts';
import { everyPart, PIXEL } from '../../fixtures/tools.ts';

const word = fc.stringMatching(/^[a-z$][\w$-]{0,8}$/);
const json = fc.jsonValue({ maxDepth: 2, noUnicodeString: false });

/** Schemas of the shapes that signature synthesis loses: enums, items, ranges, defaults, nesting, references, unknown keywords. */
const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ $ref: word.map((name) => `#/$defs/${name}`) }),
    fc.record({ enum: fc.array(json, { minLength: 1, maxLength: 4 }), default: json }),
    fc.record({ type: fc.constantFrom('number', 'integer'), minimum: fc.integer(), exclusiveMaximum: fc.double() }),
    fc.record({ type: fc.constant('string'), pattern: fc.string(), format: word, 'x-later': json }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(), uniqueItems: fc.boolean() }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(word, tie('schema'), { maxKeys: 4 }),
      required: fc.array(word, { maxLength: 3 }),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
  ),
}));

const inputSchema = fc
  .record({
    $schema: fc.constant('https://json-schema.org/draft/2020-12/schema'),
    properties: fc.dictionary(word, schema, { maxKeys: 4 }),
    $defs: fc.dictionary(word, schema, { maxKeys: 3 }),
    title: fc.string(),
  })
  // As JSON carries it: no -0, no NaN.
  .map((fields): JsonSchema => JSON.parse(JSON.stringify({ type: 'object', ...fields })));

function tool(extra: Partial<Tool>): Tool {
  return {
    name: 'subject',
    description: 'd',
    inputSchema: { type: 'object' },
    origin: { kind: 'builtin' },
    execute: () => Promise.resolve(success('')),
    ...extra,
  };
}

/** What the server writes for one request, as JSON text would carry it. `run` stands for the gateway. */
async function answer(
  subject: Tool,
  request: JSONRPCMessage,
  run: (input: unknown) => ToolResult = () => success(''),
): Promise<unknown> {
  const endpoint = createEndpoint({
    source: { tools: () => [subject] },
    gateway: { call: ({ input }) => Promise.resolve(run(input)), cancel: () => false },
    onToolsChanged: () => ({ [Symbol.dispose]: () => undefined }),
    serverInfo: { name: 'causeway', version: '0' },
    openSession: () => ({ sessionId: 's', close: () => undefined }),
  });
  const server: Server = endpoint.open({ via: 'test', era: 'legacy', lasts: 'connection' });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  here.onmessage = (message) => resolve(JSON.parse(JSON.stringify(message)));
  await server.connect(there);
  await here.send(request);
  const written = await promise;
  await server.close();
  endpoint[Symbol.dispose]();
  return written;
}

const list: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const call: JSONRPCMessage = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'subject', arguments: {} },
};

describe('what is lent arrives as its author wrote it', () => {
  it('schemas reach the wire unchanged, whatever they hold', async () => {
    await fc.assert(
      fc.asyncProperty(inputSchema, inputSchema, async (input, output) => {
        const listed = await answer(tool({ inputSchema: input, outputSchema: output }), list);
        expect(listed).toMatchObject({ result: { tools: [{ inputSchema: input, outputSchema: output }] } });
      }),
      { numRuns: 150 },
    );
  });

  it('gives schemas, icons and _meta on by reference', () => {
    const lent = tool({ icons: [{ src: 'data:,' }], meta: { a: 1 }, annotations: { readOnlyHint: true, later: 1 } });
    const served = toServedTool(lent);
    expect(served.inputSchema).toBe(lent.inputSchema);
    expect(served.annotations).toBe(lent.annotations);
    expect(served.icons).toBe(lent.icons);
    expect(served._meta).toBe(lent.meta);
  });

  it('adds no field that the definition does not have', () => {
    expect(Object.keys(toServedTool(tool({ description: '' })))).toEqual(['name', 'inputSchema']);
  });

  it('arguments reach the tool as they were sent, never read a second time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(word, fc.oneof(json, fc.json(), fc.constant('true'))), async (input) => {
        const sent = JSON.parse(JSON.stringify(input));
        const got: unknown[] = [];
        const params = { name: 'subject', arguments: sent };
        await answer(tool({}), { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, (given) => {
          got.push(given);
          return success('ok');
        });
        expect(got).toEqual([sent]);
      }),
      { numRuns: 150 },
    );
  });

  it('sends every content part with every field, also fields of later revisions', async () => {
    const result = success(everyPart as ContentPart[], { meta: { m: { deep: true } }, structuredContent: { n: [1] } });
    expect(await answer(tool({}), call, () => result)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: everyPart, structuredContent: { n: [1] }, _meta: { m: { deep: true } } },
    });
  });

  it('keeps order and number of parts for any mix of them, and says isError only when it is one', () => {
    const part = fc.constantFrom(...(everyPart as ContentPart[]));
    fc.assert(
      fc.property(
        fc.array(part),
        fc.boolean(),
        fc.option(fc.string(), { nil: undefined }),
        (content, isError, note) => {
          const result: ToolResult = { content, isError, ...(note !== undefined && { system: note }) };
          const sent = toCallToolResult(result);
          expect(sent.content.slice(0, content.length)).toEqual(content);
          expect(sent.content.slice(content.length)).toEqual(note ? [{ type: 'text', text: note }] : []);
          expect(sent.isError ?? false).toBe(isError);
        },
      ),
    );
  });

  it("leaves out what is Causeway's own: duration and truncation", () => {
    const whole = success([{ type: 'image', data: PIXEL, mimeType: 'image/png' }], {
      durationMs: 3,
      truncation: { handle: 'h', totalBytes: 9, shownBytes: 3 },
    });
    expect(Object.keys(toCallToolResult(whole))).toEqual(['content']);
  });
});
