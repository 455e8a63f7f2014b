import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { createHttpEndpoint, serveStdio, type HttpEndpoint } from '../../../src-main/mcp/endpoint/index.ts';
import { openTestEndpoint, type TestEndpoint } from '../../fixtures/endpoint.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** The protocol revision that every request introduces itself in. */
export const MODERN = '2026-07-28';
export const TOKEN = 'test-token-0123456789';

/** An endpoint that is gone when the test ends. */
export function testEndpoint(...tools: [] | [Parameters<typeof openTestEndpoint>[1]]): TestEndpoint {
  const served = openTestEndpoint(temporaryFolder(), ...tools);
  onTestFinished(() => served[Symbol.dispose]());
  return served;
}

export async function httpEndpoint(
  served: TestEndpoint,
  options: Partial<Parameters<typeof createHttpEndpoint>[1]> = {},
): Promise<HttpEndpoint> {
  const http = await createHttpEndpoint(served.endpoint, { token: TOKEN, port: 0, ...options });
  onTestFinished(() => http[Symbol.asyncDispose]());
  return http;
}

/** The current client, in the era that is asked for. */
export function newClient(era: 'legacy' | 'modern', options: ClientOptions = {}, name = 'test app'): Client {
  const mode = era === 'modern' ? { pin: MODERN } : 'legacy';
  return new Client({ name, version: '1' }, { ...options, versionNegotiation: { mode } });
}

/** The client of the SDK's first line, as most apps still have it. */
export function oldClient(name = 'old app'): OldClient {
  return new OldClient({ name, version: '1' });
}

/** The command line of the stdio program, without the folder that it needs as last argument. */
export const stdioProgram = {
  command: process.execPath,
  args: [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('../../fixtures/endpoint-stdio.ts', import.meta.url)),
  ],
};

/** Starts the stdio program; it has a folder of its own. */
export function stdioTransport(): StdioClientTransport {
  return new StdioClientTransport({
    ...stdioProgram,
    args: [...stdioProgram.args, temporaryFolder()],
    stderr: 'ignore',
  });
}

export function oldStdioTransport(): OldStdioTransport {
  return new OldStdioTransport({ ...stdioProgram, args: [...stdioProgram.args, temporaryFolder()], stderr: 'ignore' });
}

const headers = { Authorization: `Bearer ${TOKEN}` };

export function httpTransport(url: string): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

export function oldHttpTransport(url: string): OldHttpTransport {
  return new OldHttpTransport(new URL(url), { requestInit: { headers } });
}

/** The stdio server inside this process, with a client's transport at its other end. */
export function streamTransport(served: TestEndpoint): {
  transport: Transport;
  ended: Promise<void>;
  input: PassThrough;
} {
  const input = new PassThrough();
  const output = new PassThrough();
  const ended = serveStdio(served.endpoint, { input, output });
  onTestFinished(async () => {
    input.end();
    await ended;
  });
  const buffer = new ReadBuffer({ maxBufferSize: 1e9 });
  const transport: Transport = {
    start() {
      output.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let message = buffer.readMessage(); message; message = buffer.readMessage())
          transport.onmessage?.(message);
      });
      return Promise.resolve();
    },
    send(message: JSONRPCMessage) {
      input.write(serializeMessage(message));
      return Promise.resolve();
    },
    close() {
      input.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return { transport, ended, input };
}
