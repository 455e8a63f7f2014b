import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PythonTool } from '../../../../src-main/tools/python/index.ts';
import { hasBubblewrap } from '../../../fixtures/environment.ts';
import { buildWasmWorker, makePython, runPython, textOf } from '../../../fixtures/python.ts';

/**
 * Each file tries one thing that must not be possible. It prints `held`, and `LEAK` for every way that was open; a file that
 * begins with `# ends: REASON` must be ended for that reason instead. HOST holds what an attacker would like to know.
 */
const SECRET = 'a-secret-of-the-environment';

let folder: string;
let workspace: string;
let host: Record<string, string | number>;
const servers: Server[] = [];

async function listen(where: { path: string } | { host: string; port: number }): Promise<number> {
  const server = createServer((socket) => socket.end('reached'));
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

beforeAll(async () => {
  process.env['CAUSEWAY_TEST_SECRET'] = SECRET;
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'causeway-abuse-')));
  workspace = path.join(folder, 'workspace');
  const data = path.join(workspace, 'data');
  mkdirSync(data, { recursive: true });
  writeFileSync(path.join(data, 'secrets.json'), SECRET);
  execFileSync('git', ['init', '-q', workspace]);
  const socket = path.join(workspace, 'a.sock');
  const abstract = `causeway-abuse-${process.pid}`;
  await listen({ path: socket });
  if (process.platform === 'linux') await listen({ path: `\0${abstract}` });
  host = {
    home: homedir(),
    data,
    secret: SECRET,
    pid: process.pid,
    socket,
    abstract,
    port: await listen({ host: '127.0.0.1', port: 0 }),
    port6: await listen({ host: '::1', port: 0 }).catch(() => 1),
  };
});

afterAll(() => {
  delete process.env['CAUSEWAY_TEST_SECRET'];
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

function probes(backend: string): string[] {
  return readdirSync(path.join(import.meta.dirname, backend)).filter((name) => name.endsWith('.py'));
}

async function attempt(tool: PythonTool, backend: 'cpython' | 'wasm', name: string): Promise<void> {
  const code = readFileSync(path.join(import.meta.dirname, backend, name), 'utf8');
  const ends = /^# ends: (\w+)/.exec(code)?.[1];
  const result = await runPython(tool, {
    code: `HOST = ${JSON.stringify(host)}\n${code}`,
    workspace,
    timeout: ends === 'timeout' ? 1 : 30,
    // A start of Pyodide takes seconds: what is not ended shares one.
    session: backend === 'wasm' && !ends,
  });
  const said = textOf(result);
  expect(said).not.toContain('LEAK');
  expect(said).not.toContain(SECRET);
  if (ends) expect(result.structuredContent?.['ending'], said).toBe(ends);
  else expect(said).toContain('held');
  expect(existsSync(path.join(folder, 'planted'))).toBe(false);
  if (!ends) return;
  const next = await runPython(tool, { code: '"still " + "here"', workspace });
  expect(textOf(next)).toContain('still here');
}

describe.skipIf(!hasBubblewrap)('CPython in bubblewrap (needs bubblewrap) does not let code', () => {
  let tool: PythonTool;
  beforeAll(() => {
    tool = makePython({ backend: 'bubblewrap', home: path.join(workspace, 'data') });
  });
  afterAll(() => tool[Symbol.asyncDispose]());

  it.each(probes('cpython'))('%s', async (name) => {
    await attempt(tool, 'cpython', name);
  });
});

describe('Pyodide in a locked-down Node does not let code', () => {
  let tool: PythonTool;
  beforeAll(async () => {
    const wasmWorkerPath = await buildWasmWorker(path.join(folder, 'wasm'));
    tool = makePython({ backend: 'wasm', home: path.join(workspace, 'data'), wasmWorkerPath });
  });
  afterAll(() => tool[Symbol.asyncDispose]());

  it.each(probes('wasm'))('%s', async (name) => {
    await attempt(tool, 'wasm', name);
  });
});
