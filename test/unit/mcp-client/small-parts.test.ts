import { ProtocolError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { toResult } from '../../../src-main/mcp/client/call-tool.ts';
import { openEraMemory } from '../../../src-main/mcp/client/era-memory.ts';
import { explainCall, explainServer } from '../../../src-main/mcp/client/failure.ts';
import { createLimiter } from '../../../src-main/mcp/client/limiter.ts';
import { createLineRing } from '../../../src-main/mcp/client/line-ring.ts';
import { CausewayError, serverConfig } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

describe('a ring of lines', () => {
  it('keeps the last ones, oldest first', () => {
    const ring = createLineRing(3);
    for (let line = 1; line <= 100; line += 1) ring.push(String(line));
    expect(ring.lines()).toEqual(['98', '99', '100']);
  });
});

describe('a limiter', () => {
  it('lets so many run at a time, the others in turn, also after a failure', async () => {
    const limit = createLimiter(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const work = (number: number) => async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      order.push(number);
      await Promise.resolve();
      running -= 1;
      if (number === 1) throw new Error('no');
    };
    await Promise.allSettled([1, 2, 3, 4, 5].map((number) => limit(work(number))));
    expect({ most, order }).toEqual({ most: 2, order: [1, 2, 3, 4, 5] });
  });
});

describe('what is remembered of a server', () => {
  const config = serverConfig.parse({ command: 'x', args: ['1'] });

  it('lasts over restarts and for a day', () => {
    const folder = temporaryFolder();
    openEraMemory(folder, () => 1000).remember(config, { legacy: true, sse: false });
    expect(openEraMemory(folder, () => 2000).recall(config)).toEqual({ legacy: true, sse: false });
    expect(openEraMemory(folder, () => 90_000_000).recall(config)).toBeUndefined();
    expect(openEraMemory(folder).recall(serverConfig.parse({ command: 'x', args: ['2'] }))).toBeUndefined();
  });

  it('is forgotten when the server speaks the new protocol', () => {
    const memory = openEraMemory(temporaryFolder());
    memory.remember(config, { legacy: true, sse: false });
    memory.remember(config, { legacy: false, sse: false });
    expect(memory.recall(config)).toBeUndefined();
  });
});

describe('explaining what went wrong', () => {
  it.each([
    ["Error: Cannot find module 'x'", /file it needs is missing/],
    ['npm error code E404', /No such package/],
    ['GITHUB_TOKEN environment variable is not set', /wants a key/],
    ['getaddrinfo ENOTFOUND registry', /check the network/],
  ])('tells the likely fix for "%s"', (line, fix) => {
    const text = explainServer({ target: 'npx x', exit: { code: 1, signal: null }, error: undefined, stderr: [line] });
    expect(text).toContain('"npx x" ended with exit code 1. Its last output: ');
    expect(text).toMatch(fix);
  });

  it('is short, and ends with the likely fix, whole, whatever the server and its command line are like', () => {
    const hint = `Do this: ${'step '.repeat(100)}end`;
    const text = explainServer({
      target: `node ${'--flag '.repeat(500)}server.js`,
      exit: undefined,
      error: new CausewayError('unavailable', 'x'.repeat(5_000), { hint }),
      stderr: Array.from({ length: 50 }, (_, line) => `${line} `.repeat(400)),
      next: 'It is started again in 4 seconds.',
    });
    expect(text.endsWith(`It is started again in 4 seconds. ${hint}`)).toBe(true);
    expect(text.length - hint.length).toBeLessThan(1_500);
    expect(text).toMatch(/^"node --flag .*\u2026.* server\.js": xxx/);
  });

  it('gives a protocol error its sentence and its code', () => {
    const error = explainCall(new ProtocolError(-32602, 'Unknown tool: x'), {
      ...{ server: 's', tool: 'x', idleMs: 1000, stderr: [] },
    });
    expect(error).toMatchObject({
      code: 'protocol',
      message: 'The server "s" answered the call of "x" with an error: Unknown tool: x.',
    });
  });
});

describe('the result of a call', () => {
  it('keeps every part in order; a kind that nobody knows is shown as it came', () => {
    const image = { type: 'image', data: 'AA==', mimeType: 'image/png', later: 1 };
    const unknown = { type: 'hologram', data: 1 };
    expect(
      toResult({ content: [image, unknown, image], isError: true, structuredContent: { a: 1 }, _meta: { b: 2 } }),
    ).toEqual({
      content: [image, { type: 'text', text: JSON.stringify(unknown) }, image],
      isError: true,
      structuredContent: { a: 1 },
      meta: { b: 2 },
    });
  });

  it('wraps structured content that is no object', () => {
    expect(toResult({ content: [], structuredContent: [1, 2] }).structuredContent).toEqual({ result: [1, 2] });
  });
});
