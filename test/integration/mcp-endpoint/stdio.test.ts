import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveStdio } from '../../../src-main/mcp/endpoint/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { newClient, stdioProgram, streamTransport, testEndpoint } from './clients.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const callEcho = (id: number, input: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: input },
});

/** Writes lines, closes the input, and gives what came back. */
async function pipe(
  lines: (object | string)[],
  onError = (_error: Error): void => undefined,
): Promise<Record<string, unknown>[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveStdio(testEndpoint().endpoint, { input, output, onError });
  const all = text(output);
  for (const line of lines) input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  input.end();
  await served;
  output.end();
  return (await all)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

describe('the stdio server', () => {
  it('answers everything that was asked before stdin closed, then ends', async () => {
    const answers = await pipe([initialize, initialized, callEcho(2, { n: 1 }), callEcho(3, { n: 2 })]);
    expect(answers.map((answer) => answer['id'])).toEqual([1, 2, 3]);
    expect(answers[2]).toMatchObject({ result: { structuredContent: { input: { n: 2 } } } });
  });

  it('skips junk lines and goes on', async () => {
    const junk = ['', 'not json', '[', '{"jsonrpc":"1.0"}', 'null', '\u0000\u0001', '{"jsonrpc":"2.0","id":{}}', '[]'];
    const answers = await pipe([...junk, initialize, ...junk, initialized, callEcho(2, {})]);
    expect(answers.map((answer) => answer['id'])).toEqual([1, 2]);
  });

  it('says in one line what it left out', async () => {
    const said: string[] = [];
    await pipe([initialize, '{"jsonrpc":"2.0"}', '[]'], ({ message }) => said.push(message));
    expect(said).toEqual(Array(2).fill('A message that is no JSON-RPC 2.0 was left out.'));
  });

  it('answers a message above 16 MiB with an error and goes on', async () => {
    const answers = await pipe([initialize, callEcho(2, { text: 'x'.repeat(17 * 1024 * 1024) }), callEcho(3, {})]);
    expect(answers).toContainEqual({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32_600, message: 'A message above 16777216 bytes was not read.' },
    });
    expect(answers).toContainEqual(expect.objectContaining({ id: 3, result: expect.anything() }));
  });

  it('takes a message of many megabytes', async () => {
    const answers = await pipe([initialize, callEcho(2, { text: 'é'.repeat(6 * 1024 * 1024) })]);
    expect(answers[1]).toMatchObject({ id: 2, result: expect.anything() });
  });

  it('ends running calls when stdin closes', async () => {
    const served = testEndpoint();
    const { transport, ended, input } = streamTransport(served);
    const client = newClient('legacy');
    await client.connect(transport);
    const call = client.callTool({ name: 'hang', arguments: {} });
    call.catch(() => undefined);
    await waitFor(() => served.events().some((event) => event.type === 'tool.started'));
    input.end();
    await ended;
    await waitFor(() => served.events().some((event) => event.type === 'tool.ended'));
  });

  it.each(['before', 'after'])('ends when its signal aborts %s the start', async (when) => {
    const stop = new AbortController();
    if (when === 'before') stop.abort();
    const served = serveStdio(testEndpoint().endpoint, {
      input: new PassThrough(),
      output: new PassThrough(),
      signal: stop.signal,
    });
    stop.abort();
    await expect(served).resolves.toBeUndefined();
  });

  it('ends when nobody reads its output any more', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serveStdio(testEndpoint().endpoint, { input, output });
    output.destroy(new Error('EPIPE'));
    input.write(`${JSON.stringify(initialize)}\n`);
    await expect(served).resolves.toBeUndefined();
  });

  it('as a program: writes nothing but the protocol to stdout, and leaves when stdin closes', async () => {
    const child = spawn(stdioProgram.command, [...stdioProgram.args, temporaryFolder()], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    onTestFinished(() => void child.kill());
    const output = text(child.stdout);
    for (const message of [initialize, 'junk', initialized, callEcho(2, {})]) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
    child.stdin.end();
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
    const lines = (await output).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 1 }, { id: 2 }]);
  });
});
