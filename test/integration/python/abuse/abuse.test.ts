import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
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
 * Each file tries one thing that must not be possible, on every backend. It prints `held`, and `LEAK` for every way that was open.
 * With `# ends: REASON` it must be ended for that reason instead (`error`: by an error of its own, because there is no such thing
 * here); `# ends on BACKEND: REASON` says so of one backend. HOST holds what an attacker would like to know.
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
    workspace,
    data,
    secret: SECRET,
    pid: process.pid,
    parent: process.ppid,
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

type Backend = 'cpython' | 'wasm';

interface Probe {
  name: string;
  code: string;
  ends: string | undefined;
}

function probes(backend: Backend): Probe[] {
  const folder = path.join(import.meta.dirname, 'probes');
  return readdirSync(folder).map((name) => {
    const code = readFileSync(path.join(folder, name), 'utf8');
    const said = (what: string): string | undefined => new RegExp(`^# ${what}: (\\w+)$`, 'm').exec(code)?.[1];
    return { name, code, ends: said(`ends on ${backend}`) ?? said('ends') };
  });
}

/** What no probe may have done to the machine, as the machine sees it. */
function changesOutside(): string[] {
  const planted = [folder, path.dirname(folder), homedir(), '/'].map((one) => path.join(one, 'planted'));
  const setuid = readdirSync(workspace).filter((name) => (lstatSync(path.join(workspace, name)).mode & 0o6000) !== 0);
  const hooks = readdirSync(path.join(workspace, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));
  return [...planted.filter((file) => existsSync(file)), ...setuid, ...hooks];
}

async function attempt(tool: PythonTool, backend: Backend, { code, ends }: Probe): Promise<void> {
  const byItself = ends === undefined || ends === 'error';
  const result = await runPython(tool, {
    code: `HOST = ${JSON.stringify(host)}\n${code}`,
    workspace,
    timeout: ends === 'timeout' ? 1 : 60,
    // A start of Pyodide takes seconds: what is not ended shares one.
    session: backend === 'wasm' && byItself,
  });
  const said = textOf(result);
  expect(said).not.toContain('LEAK');
  expect(said).not.toContain(SECRET);
  expect(result.structuredContent?.['ending'], said).toBe(byItself ? 'finished' : ends);
  if (ends === 'error') expect(result.structuredContent).toHaveProperty('error');
  else if (byItself) expect(said).toContain('held');
  expect(changesOutside()).toEqual([]);
  if (byItself) return;
  const next = await runPython(tool, { code: '"still " + "here"', workspace });
  expect(textOf(next)).toContain('still here');
}

describe.skipIf(!hasBubblewrap)('CPython in bubblewrap (needs bubblewrap) does not let code', () => {
  let tool: PythonTool;
  beforeAll(() => {
    tool = makePython({ backend: 'bubblewrap', home: path.join(workspace, 'data') });
  });
  afterAll(() => tool[Symbol.asyncDispose]());

  it.each(probes('cpython'))('$name', async (probe) => {
    await attempt(tool, 'cpython', probe);
  });

  it('leave anything running', () => {
    expect(existsSync(path.join(workspace, 'outlived'))).toBe(false);
  });
});

describe.skipIf(!hasBubblewrap)('CPython that may reach a host (needs bubblewrap) does not let code', () => {
  let tool: PythonTool;
  beforeAll(() => {
    const policy = (): { network: string[] } => ({ network: ['allowed.example'] });
    tool = makePython({ backend: 'bubblewrap', home: path.join(workspace, 'data'), policy });
  });
  afterAll(() => tool[Symbol.asyncDispose]());

  // What another filter, one more mount and one more process might open.
  const concerned = /^(network|socket|process|other|read|write|descriptors|privileges|trace|signal|first)/;
  it.each(probes('cpython').filter(({ name }) => concerned.test(name)))('$name', async (probe) => {
    await attempt(tool, 'cpython', probe);
  });
});

describe('Pyodide in a locked-down Node does not let code', () => {
  let tool: PythonTool;
  let entries: string[];
  beforeAll(async () => {
    entries = readdirSync(workspace).toSorted();
    const wasmWorkerPath = await buildWasmWorker(path.join(folder, 'wasm'));
    tool = makePython({ backend: 'wasm', home: path.join(workspace, 'data'), wasmWorkerPath });
  });
  afterAll(() => tool[Symbol.asyncDispose]());

  it.each(probes('wasm'))('$name', async (probe) => {
    await attempt(tool, 'wasm', probe);
  });

  it('change anything in the workspace', () => {
    expect(readdirSync(workspace).toSorted()).toEqual(entries);
  });
});

describe('the suite', () => {
  it('has at least 40 probes', () => {
    expect(probes('cpython').length).toBeGreaterThanOrEqual(40);
  });
});
