import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../../src-shared/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { buildWasmWorker, python, runPython, textOf } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { serve } from '../../fixtures/web-server.ts';

/** What urllib gets from there, or why it gets nothing. */
const get = (url: string): string => `
import urllib.request
try:
    print(urllib.request.urlopen("${url}", timeout=20).read().decode())
except OSError as error:
    print("failed:", error, getattr(error, "read", lambda: b"")().decode())
`;

describe.skipIf(!hasBubblewrap)('CPython that may reach some hosts (needs bubblewrap)', () => {
  const open = (network: Settings['python']['network'], home = temporaryFolder()): ReturnType<typeof python> =>
    python({ backend: 'bubblewrap', home, policy: () => ({ network }) });

  it('reaches those as libraries do, also from programs that it starts and in a session', async () => {
    const port = await serve((request, response) => response.end(`reached ${request.url}`));
    const tool = open([`127.0.0.1:${port}`]);
    const workspace = temporaryFolder();
    const url = `http://127.0.0.1:${port}/path?q=1`;
    for (const session of [false, true]) {
      const result = await runPython(tool, { code: get(url), workspace, session });
      expect(textOf(result)).toBe('reached /path?q=1');
      expect(result.system).toBeUndefined();
    }
    const code = `import subprocess, sys\nsubprocess.run([sys.executable, "-c", ${JSON.stringify(get(url))}])`;
    expect(textOf(await runPython(tool, { code, workspace }))).toContain('reached /path?q=1');
  });

  it('reaches no other, and the result names which was refused and by what setting', async () => {
    const tool = open(['allowed.example', '127.0.0.2:80']);
    const result = await runPython(tool, { code: get('http://denied.example/'), workspace: temporaryFolder() });
    expect(textOf(result)).toMatch(/failed: HTTP Error 403.*not among the hosts.*python\.network/s);
    expect(result.system).toContain('"python.network" allows, and so refused: denied.example:80.');
  });

  it('names what was refused in the call that asked, and not again', async () => {
    const tool = open(['allowed.example']);
    const workspace = temporaryFolder();
    const one = await runPython(tool, { code: get('http://denied.example/'), workspace, session: true });
    expect(one.system).toContain('refused');
    const next = await runPython(tool, { code: '1', workspace, session: true });
    expect(next.system).toBeUndefined();
  });

  it('has no way around the proxy, and finds no other Unix sockets', async () => {
    const workspace = temporaryFolder();
    const socket = path.join(workspace, 'a.sock');
    const server = createServer((connection) => connection.end('reached'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => void server.close());
    const port = await serve((_request, response) => response.end('reached'));
    const code = `
import socket
for family, address in ((socket.AF_INET, ("127.0.0.1", ${port})), (socket.AF_INET, ("192.0.2.1", 80)), (socket.AF_UNIX, ${JSON.stringify(socket)})):
    try:
        connection = socket.socket(family)
        connection.settimeout(5)
        connection.connect(address)
        print("REACHED", address)
    except OSError as error:
        print(error.strerror)`;
    expect(textOf(await runPython(open([`127.0.0.1:${port}`]), { code, workspace }))).toBe(
      'Connection refused\nNetwork is unreachable\nAddress family not supported by protocol',
    );
  });

  it('is told which hosts these are', async () => {
    const tool = open(['data.example', '*.other.example']);
    expect((await tool.describe()).reason).toContain('no network but data.example, *.other.example');
    expect(tool.description).toContain('only these hosts can be reached: data.example, *.other.example');
    expect(tool.annotations?.openWorldHint).toBe(true);
  });

  it('reaches none from the next call on when the person takes them away', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const workspace = temporaryFolder();
    let network: Settings['python']['network'] = [`127.0.0.1:${port}`];
    const tool = python({ backend: 'bubblewrap', policy: () => ({ network }) });
    for (const session of [false, true]) {
      const result = await runPython(tool, { code: get(`http://127.0.0.1:${port}/`), workspace, session });
      expect(textOf(result)).toBe('reached');
    }
    network = 'off';
    for (const session of [false, true]) {
      const result = await runPython(tool, { code: get(`http://127.0.0.1:${port}/`), workspace, session });
      expect(textOf(result)).toMatch(/failed: .*Connection refused/);
    }
    expect(tool.description).toContain('There is no network.');
  });

  it('leaves no socket, folder or process behind', async () => {
    const home = temporaryFolder();
    const tool = open(['data.example'], home);
    await runPython(tool, { code: '1', workspace: temporaryFolder() });
    const folders = (): string[] => readdirSync(path.join(home, 'run')).filter((name) => name.startsWith('way-out-'));
    await waitFor(() => folders().length > 0, { what: 'a worker that waits' });
    await tool[Symbol.asyncDispose]();
    await waitFor(() => folders().length === 0, { what: 'the end of the folders' });
    expect(commandLinesWith(path.join(home, 'run'))).toEqual([]);
  });
});

describe('Pyodide where some hosts are allowed', () => {
  it('reaches none all the same, and says that it has no network', async () => {
    const port = await serve((_request, response) => response.end('reached'));
    const wasmWorkerPath = await buildWasmWorker(temporaryFolder());
    const tool = python({ backend: 'wasm', wasmWorkerPath, policy: () => ({ network: [`127.0.0.1:${port}`] }) });
    const code = get(`http://127.0.0.1:${port}/`);
    expect(textOf(await runPython(tool, { code, workspace: temporaryFolder() }))).not.toContain('reached');
    expect(tool.description).toContain('There is no network.');
    expect(tool.description).not.toContain('can be reached');
  });
});
