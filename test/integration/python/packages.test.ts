import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { openPackageIndex } from '../../fixtures/package-index.ts';
import { buildWasmWorker, python, runPython, textOf } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { serve } from '../../fixtures/web-server.ts';

const hasPip = spawnSync('/usr/bin/python3', ['-m', 'pip', '--version']).status === 0;
const INTERPRETER = '/usr/bin/python3';
const HELLO: [string, string, string] = ['hello_there', '1.0', 'word = "hello"'];
const NEWER: [string, string, string] = ['hello_there', '2.0', 'word = "hello again"'];

/** A build backend that looks around, and leaves what it saw in the module that it builds. */
const spy = (paths: readonly string[], port: number): string => `
import os, socket, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    seen = []
    for path in ${JSON.stringify(paths)}:
        try:
            seen += os.listdir(path) if os.path.isdir(path) else open(path).read(5)
        except OSError:
            pass
    try:
        socket.create_connection(("127.0.0.1", ${port}), 2)
        seen.append("CONNECTED")
    except OSError:
        seen.append("no connection")
    name = "spy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("spy.py", "seen = %r" % seen)
        wheel.writestr("spy-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: spy\\nVersion: 1.0\\n")
        wheel.writestr("spy-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("spy-1.0.dist-info/RECORD", "")
    return name
`;

describe.skipIf(!hasBubblewrap || !hasPip)('packages for a session (needs bubblewrap, python3-pip)', () => {
  type Setup = { home?: string; hosts?: string[]; index?: string | null };
  const open = ({ home = temporaryFolder(), hosts = [], index = null }: Setup): ReturnType<typeof python> =>
    python({
      backend: 'bubblewrap',
      interpreter: INTERPRETER,
      home,
      policy: () => ({ packageHosts: hosts, packageIndex: index }),
    });

  it('are installed once, and are there for every later call of this session and of no other', async () => {
    const { url, asked } = await openPackageIndex([HELLO]);
    const workspace = temporaryFolder();
    const tool = open({ index: url });
    const packages = ['hello-there==1.0'];
    let live = '';
    const first = await runPython(tool, {
      ...{ code: 'import hello_there; hello_there.word', workspace, packages },
      onLive: (text) => void (live += text),
    });
    expect(textOf(first)).toBe("'hello'");
    expect(live).toContain('Successfully installed hello-there-1.0');
    const requests = asked.length;
    expect(textOf(await runPython(tool, { code: 'from hello_there import word; word', workspace, packages }))).toBe(
      "'hello'",
    );
    expect(textOf(await runPython(tool, { code: 'from hello_there import word; word', workspace }))).toBe("'hello'");
    const child = 'import subprocess, sys; subprocess.run([sys.executable, "-c", "import hello_there"]).returncode';
    expect(textOf(await runPython(tool, { code: child, workspace }))).toBe('0');
    expect(asked).toHaveLength(requests);
    const other = await runPython(tool, { code: 'import hello_there', workspace, sessionId: 'session-2' });
    expect(textOf(other)).toContain('ModuleNotFoundError');
    expect(readdirSync(workspace)).toEqual([]);
  });

  it('come to a session that keeps variables by starting it afresh, which the model is told; so do newer ones', async () => {
    const { url } = await openPackageIndex([HELLO, NEWER]);
    const workspace = temporaryFolder();
    const tool = open({ index: url });
    await runPython(tool, { code: 'a = 1', workspace, session: true });
    const code = 'import hello_there; (hello_there.word, "a" in globals())';
    for (const [version, word] of [
      ['1.0', 'hello'],
      ['2.0', 'hello again'],
    ]) {
      const packages = [`hello_there==${version}`];
      const result = await runPython(tool, { code, workspace, session: true, packages });
      expect(textOf(result)).toBe(`('${word}', False)`);
      expect(result.system).toContain('started afresh');
    }
  });

  it('can not be changed by the code, and are all that can be read of the data folder', async () => {
    const { url } = await openPackageIndex([HELLO]);
    const home = temporaryFolder();
    const code = `
import hello_there, os
for way in (lambda: open(hello_there.__file__, "a"), lambda: os.remove(hello_there.__file__)):
    try:
        way()
    except OSError as error:
        print(error.strerror)
os.listdir(${JSON.stringify(home)})`;
    const tool = open({ home, index: url });
    const result = await runPython(tool, { code, workspace: temporaryFolder(), packages: ['hello_there'] });
    expect(textOf(result)).toBe("Read-only file system\nRead-only file system\n['python-packages']");
  });

  it('need a yes of the person, until they are there', async () => {
    const { url, host } = await openPackageIndex([HELLO]);
    const tool = open({ index: url });
    const input = { code: '1', packages: ['hello_there'] };
    expect(await tool.reasonToAsk?.({ code: '1' }, 'session-1')).toBeUndefined();
    expect(await tool.reasonToAsk?.(input, 'session-1')).toBe(`It installs hello_there from ${host} for this session.`);
    await runPython(tool, { ...input, workspace: temporaryFolder() });
    expect(await tool.reasonToAsk?.(input, 'session-1')).toBeUndefined();
    expect(await tool.reasonToAsk?.(input, 'session-2')).toContain('It installs');
  });

  it('are not installed when no host is allowed: the code does not run, and the way out is named', async () => {
    const tool = open({});
    const run = runPython(tool, { code: 'print("ran")', workspace: temporaryFolder(), packages: ['hello_there'] });
    await expect(run).rejects.toThrow(/was not run.*"python\.packageHosts" names no hosts/);
    await tool.describe();
    expect(tool.description).toContain('Nothing can be installed: the setting "python.packageHosts"');
  });

  it('come from no host but the allowed ones, and the refused one is named', async () => {
    const tool = open({ hosts: ['allowed.example'] });
    const run = runPython(tool, { code: '1', workspace: temporaryFolder(), packages: ['hello_there'] });
    await expect(run).rejects.toMatchObject({
      message: expect.stringContaining('hello_there could not be installed'),
      hint: expect.stringMatching(/and so refused: [\w.]+:443\. Only the person can add them/),
    });
  });

  it('that do not exist are an error with what pip said, and the next call works', async () => {
    const { url } = await openPackageIndex([HELLO]);
    const tool = open({ index: url });
    const workspace = temporaryFolder();
    const run = runPython(tool, { code: '1', workspace, packages: ['no-such-thing'] });
    await expect(run).rejects.toThrow(/No matching distribution found for no-such-thing/);
    expect(textOf(await runPython(tool, { code: '2', workspace }))).toBe('2');
  });

  it.each([
    '-r/etc/passwd',
    '--index-url=http://x',
    './here',
    '/etc',
    'http://x/y.whl',
    'a @ file:///etc',
    'a; b',
    'a b',
    '',
  ])('are names, not options, paths or addresses: "%s"', async (name) => {
    const { url, asked } = await openPackageIndex([HELLO]);
    const run = runPython(open({ index: url }), { code: '1', workspace: temporaryFolder(), packages: [name] });
    await expect(run).rejects.toThrow();
    expect(asked).toEqual([]);
  });

  it('are built in a sandbox: what a package runs then sees neither workspace nor data nor other hosts', async () => {
    const home = temporaryFolder();
    const workspace = temporaryFolder();
    writeFileSync(path.join(workspace, 'private.txt'), 'x');
    const port = await serve((_request, response) => response.end('reached'));
    const { url } = await openPackageIndex([], [['spy', '1.0', spy([home, workspace, '/etc/shadow', '/root'], port)]]);
    const result = await runPython(open({ home, index: url }), {
      ...{ code: 'import spy; spy.seen', workspace, packages: ['spy'] },
    });
    expect(textOf(result)).toBe("['python-packages', 'run', 'no connection']");
  });

  it('are not waited for when the call is stopped', async () => {
    const { url, asked } = await openPackageIndex([HELLO]);
    const stopped = AbortSignal.abort(new Error('stopped'));
    const wanted = { code: '1', workspace: temporaryFolder(), packages: ['hello_there'], signal: stopped };
    await expect(runPython(open({ index: url }), wanted)).rejects.toThrow('stopped');
    expect(asked).toEqual([]);
  });

  it('are removed when the session was not used for a week', async () => {
    const home = temporaryFolder();
    const [old, fresh] = ['old', 'fresh'].map((name) => path.join(home, 'python-packages', name));
    for (const folder of [old, fresh]) mkdirSync(String(folder), { recursive: true });
    const then = new Date(Date.now() - 8 * 24 * 3600_000);
    utimesSync(String(old), then, then);
    await open({ home }).describe();
    await waitFor(() => !existsSync(String(old)));
    expect(existsSync(String(fresh))).toBe(true);
  });
});

describe('packages where Python is Pyodide', () => {
  it('can not be installed, and the call says why', async () => {
    const wasmWorkerPath = await buildWasmWorker(temporaryFolder());
    const tool = python({ backend: 'wasm', wasmWorkerPath, policy: () => ({ packageHosts: ['allowed.example'] }) });
    const run = runPython(tool, { code: '1', workspace: temporaryFolder(), packages: ['hello_there'] });
    await expect(run).rejects.toThrow('packages can not be installed, because Pyodide has no network');
  });
});
