import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PythonTool } from '../../../src-main/tools/python/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { buildWasmWorker, makePython, picturesOf, runPython, textOf, type Run } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** Draws and encodes a PNG with nothing but the standard library: a machine without matplotlib still has pictures. */
const OWN_PNG = `
import struct, zlib

def png(width, height, color):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\\0" + bytes(color) * width for _ in range(height))
    return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
`;

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'causeway-python-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasBubblewrap)('CPython in bubblewrap (needs bubblewrap)', () => {
  let tool: PythonTool;
  beforeAll(() => {
    tool = makePython({ backend: 'bubblewrap', home: path.join(folder, 'home-cpython') });
  });
  afterAll(() => tool[Symbol.asyncDispose]());
  const run = (code: string, extra: Partial<Run> = {}) => runPython(tool, { code, workspace: folder, ...extra });

  it('shows standard output and standard error in the order they were written, then the last value', async () => {
    const result = await run('import sys\nprint("one")\nprint("two", file=sys.stderr)\nprint("three", end="")\n6 * 7');
    expect(textOf(result)).toBe('one\ntwo\nthree\n42');
    expect(result.isError).toBe(false);
    expect(result.structuredContent).toMatchObject({ value: '42', ending: 'finished' });
  });

  it('keeps the output before an exception, and names the line of the given code', async () => {
    const result = await run('def broken():\n    return 1 / 0\n\nprint("before")\nbroken()');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^before\nTraceback/);
    expect(textOf(result)).toContain('File "<code>", line 5, in <module>\n    broken()');
    expect(textOf(result)).toContain('File "<code>", line 2, in broken\n    return 1 / 0');
    expect(textOf(result)).toMatch(/ZeroDivisionError: division by zero$/);
    expect(textOf(result)).not.toContain('causeway');
  });

  it('starts each call from nothing, unless it is a session’s', async () => {
    await run('x = 1');
    expect(textOf(await run('x'))).toContain('NameError');
    await run('y = 1', { session: true });
    await run('raise ValueError("the variables survive this")', { session: true });
    expect(textOf(await run('y + 1', { session: true }))).toBe('2');
    expect(textOf(await run('y', { session: true, sessionId: 'another' }))).toContain('NameError');
  });

  it('returns pictures that the code encoded itself, in order, without any library', async () => {
    const result = await run(
      `${OWN_PNG}\ndisplay(png(3, 2, (255, 0, 0)), png(5, 4, (0, 255, 0)))\npng(7, 6, (0, 0, 255))`,
    );
    const pictures = picturesOf(result).map((bytes) => PNG.sync.read(bytes));
    expect(pictures.map(({ width, height }) => [width, height])).toEqual([
      [3, 2],
      [5, 4],
      [7, 6],
    ]);
    expect([...(pictures[1]?.data.subarray(0, 4) ?? [])]).toEqual([0, 255, 0, 255]);
  });

  it('ends at the timeout, keeps the output until then, and works again', async () => {
    const result = await run('print("before")\nwhile True: pass', { timeout: 1 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^before\n/);
    expect(result.structuredContent).toMatchObject({ timedOut: true });
    expect(textOf(await run('1 + 1'))).toBe('2');
  });

  it('streams output while the code runs', async () => {
    const live: string[] = [];
    await run('print("early")\nprint("late")', { onLive: (text) => live.push(text) });
    expect(live.join('')).toBe('early\nlate\n');
  });

  it('names the line of a syntax error', async () => {
    expect(textOf(await run('x = 1\ny = (\n'))).toMatch(/File "<code>", line 2/);
  });

  it('shows a syntax error without the frames of whoever compiled it', async () => {
    for (const code of ['x = (', 'x = 1\0']) expect(textOf(await run(code))).not.toContain('ast.py');
  });

  it('shows the text of the right line also behind a form feed or a line separator', async () => {
    const text = textOf(await run('a = "\u2028"\n\f\nraise ValueError("here")'));
    expect(text).toContain('line 3, in <module>\n    raise ValueError("here")');
  });

  it('shows the lines of the call in which a function of a session was written', async () => {
    const session = { session: true, sessionId: 'lines' };
    await run('import inspect\ndef f(x):\n    return 1 / x', session);
    const text = textOf(await run('one = 1\ntwo = 2\nf(0)  # the second call', session));
    expect(text).toContain('line 3, in f\n    return 1 / x');
    expect(text).toContain('line 3, in <module>\n    f(0)  # the second call');
    expect(textOf(await run('print(inspect.getsource(f))', session))).toContain('return 1 / x');
  });

  it('shows both ends of a runaway recursion', async () => {
    const text = textOf(await run('import sys\nsys.setrecursionlimit(200_000)\ndef f(n): return f(n + 1)\nf(0)'));
    expect(text).toMatch(/\d+ calls in the middle of the traceback are left out/);
    expect(text).toMatch(/line 4, in <module>[^]*RecursionError/);
  });

  it('gives an error with an endless name', async () => {
    const result = await run('raise type("E" * 300_000, (Exception,), {})("so long")');
    expect(result.structuredContent).toMatchObject({ ending: 'finished', error: 'E'.repeat(200) });
  });

  it('waits for threads, and does what was left for the end, as a program would', async () => {
    const code = `import atexit, threading, time
atexit.register(lambda: print("at the end", flush=True))
def later():
    time.sleep(0.3)
    print("from the thread", flush=True)
threading.Thread(target=later).start()
print("last line")`;
    expect(textOf(await run(code))).toBe('last line\nfrom the thread\nat the end');
  });

  it('interrupts a thread that has no end, and keeps the value', async () => {
    const code = 'import threading, time\nthreading.Thread(target=lambda: time.sleep(600)).start()\n"the value"';
    const result = await run(code, { timeout: 2 });
    expect(textOf(result)).toMatch(/the value[^]*time was up/);
    expect(result.structuredContent).toMatchObject({ timedOut: true });
  });

  it('reports also when there is too much to report', async () => {
    const code = `for _ in range(30): display("中" * 100_000)
"中" * 5_000_000`;
    const result = await run(code, { timeout: 20 });
    expect(result.structuredContent).toMatchObject({ ending: 'finished' });
    expect(textOf(result)).toContain('5000002 characters in all');
  });

  it('reads no message that would take long to read, and ends whoever sends it', async () => {
    const code = `import os, struct
body = b'J{"type":"ready","python":"x","z":' + b"[" * 1_500_000 + b"]" * 1_500_000 + b"}"
frame = struct.pack(">I", len(body)) + body
while True: os.write(3, frame)`;
    const result = await run(code, { timeout: 20 });
    expect(result.structuredContent).toMatchObject({ ending: 'died' });
    expect(textOf(await run('"the next call"'))).toBe("'the next call'");
  });

  it('shows the text of an object whose picture fails', async () => {
    const code = `class Broken:
    def _repr_png_(self): raise ValueError("no picture")
    def __repr__(self): return "a broken one"
class Anything:
    def __getattr__(self, name): return Anything()
    def __call__(self): return Anything()
    def __repr__(self): return "anything"
display(Anything())
Broken()`;
    const result = await run(code);
    expect(textOf(result)).toBe('anything\n[a picture could not be made: ValueError: no picture]\na broken one');
    expect(result.isError).toBe(false);
  });

  it('shows chained exceptions', async () => {
    const code = 'try:\n    {}["k"]\nexcept KeyError as error:\n    raise ValueError("outer") from error';
    expect(textOf(await run(code))).toMatch(/KeyError: 'k'[^]*direct cause[^]*ValueError: outer$/);
  });

  it('runs what stands under if __name__ == "__main__"', async () => {
    expect(textOf(await run('if __name__ == "__main__":\n    print("main")'))).toBe('main');
  });

  it('knows how code ended itself', async () => {
    expect((await run('import sys\nsys.exit(0)')).isError).toBe(false);
    expect((await run('import sys\nsys.exit(False)')).isError).toBe(false);
    for (const [code, number] of [
      ['True', 1],
      ['-1', -1],
      ['2**60', 255],
    ] as const) {
      expect(textOf(await run(`import sys\nsys.exit(${code})`))).toBe(`The code ended with exit code ${number}.`);
    }
    const result = await run('import sys\nprint("so far")\nsys.exit("no more")');
    expect(textOf(result)).toBe('so far\nno more\nThe code ended with exit code 1.');
    expect(result.isError).toBe(true);
  });

  it('has no keyboard', async () => {
    expect(textOf(await run('input()'))).toContain('EOFError');
  });

  it('returns the picture of an object that has a PNG or SVG form', async () => {
    const code = `${OWN_PNG}
class Drawn:
    def _repr_png_(self): return png(2, 2, (1, 2, 3))
    def __repr__(self): return "a drawing"
class Vector:
    def _repr_svg_(self): return "<svg xmlns='http://www.w3.org/2000/svg'/>"
display(Vector())
Drawn()`;
    const result = await run(code);
    const kinds = result.content.map((part) => (part.type === 'image' ? part.mimeType : part.type));
    expect(kinds).toEqual(['text', 'image/svg+xml', 'image/png']);
    expect(textOf(result)).toBe('a drawing');
  });

  it('keeps the beginning and the end of a long output, and the whole under a handle', async () => {
    const result = await run('for number in range(20000): print("line", number)');
    expect(textOf(result)).toMatch(/^line 0\n[^]*bytes left out[^]*line 19999$/);
    expect(result.truncation?.totalBytes).toBeGreaterThan(200_000);
    expect(Buffer.byteLength(textOf(result))).toBeLessThan(32_000);
  });

  it('ends when the call is stopped, and keeps the output until then', async () => {
    const stop = new AbortController();
    const onLive = (text: string): void => {
      if (text.includes('before')) stop.abort();
    };
    const result = await run('print("before")\nwhile True: pass', { signal: stop.signal, onLive });
    expect(result.structuredContent).toMatchObject({ ending: 'cancelled' });
    expect(textOf(result)).toMatch(/^before\n/);
  });
});

/** The same runner; each start takes seconds, so that a few calls must do. */
describe('Pyodide in a locked-down Node', () => {
  let tool: PythonTool;
  beforeAll(async () => {
    const wasmWorkerPath = await buildWasmWorker(path.join(folder, 'wasm'));
    tool = makePython({ backend: 'wasm', home: path.join(folder, 'home-wasm'), wasmWorkerPath });
  });
  afterAll(() => tool[Symbol.asyncDispose]());
  const run = (code: string, extra: Partial<Run> = {}) => runPython(tool, { code, workspace: folder, ...extra });

  it('draws other random numbers in each call, although all begin with the same memory', async () => {
    const draw =
      'import random, secrets, tempfile, uuid\nprint(random.random(), secrets.token_hex(4), uuid.uuid4(), tempfile.gettempprefix())';
    const [one, two] = [textOf(await run(draw)).split(' '), textOf(await run(draw)).split(' ')];
    expect(one.slice(0, 3).filter((drawn, at) => drawn === two[at])).toEqual([]);
  });

  it('shows output in order, the last value, and pictures', async () => {
    const code = `import sys\nprint("one")\nprint("two", file=sys.stderr)\n${OWN_PNG}\ndisplay(png(3, 2, (255, 0, 0)))\n6 * 7`;
    const result = await run(code);
    expect(textOf(result)).toBe('one\ntwo\n42');
    expect(picturesOf(result).map((bytes) => PNG.sync.read(bytes).width)).toEqual([3]);
  });

  it('waits where asyncio waits', async () => {
    const code = 'import asyncio\nasync def five():\n    await asyncio.sleep(0.05)\n    return 5\nasyncio.run(five())';
    expect(textOf(await run(code))).toBe('5');
  });

  it('keeps variables in a session, also after an exception, whose line it names', async () => {
    const failed = await run('x = 1\nprint("before")\nx / 0', { session: true });
    expect(textOf(failed)).toMatch(/^before\nTraceback[^]*File "<code>", line 3[^]*ZeroDivisionError/);
    expect(textOf(await run('x + 1', { session: true }))).toBe('2');
  });

  it('ends at the timeout, keeps the output until then, and works again without old variables', async () => {
    const result = await run('x = 1\nprint("before")\nwhile True: pass', { timeout: 1 });
    expect(textOf(result)).toMatch(/^before\n/);
    expect(result.structuredContent).toMatchObject({ timedOut: true, ending: 'timeout' });
    expect(textOf(await run('x'))).toContain('NameError');
  });
});

describe.skipIf(!hasBubblewrap)('files of the workspace (needs bubblewrap)', () => {
  function setUp(): { run: (code: string) => ReturnType<typeof runPython>; workspace: string } {
    const workspace = temporaryFolder();
    const tool = makePython({ backend: 'bubblewrap', home: path.join(temporaryFolder(), 'home') });
    onTestFinished(() => tool[Symbol.asyncDispose]());
    return { workspace, run: (code) => runPython(tool, { code, workspace }) };
  }

  it('are read and written at their real path', async () => {
    const { run, workspace } = setUp();
    writeFileSync(path.join(workspace, 'in.txt'), 'from outside');
    const code = `open(${JSON.stringify(path.join(workspace, 'out.txt'))}, "w").write(open("in.txt").read().upper())`;
    expect((await run(code)).isError).toBe(false);
    expect(readFileSync(path.join(workspace, 'out.txt'), 'utf8')).toBe('FROM OUTSIDE');
  });

  it('can be imported, and leave no caches behind', async () => {
    const { run, workspace } = setUp();
    writeFileSync(path.join(workspace, 'helper.py'), 'answer = 42');
    expect(textOf(await run('import helper, os\nprint(helper.answer)\nsorted(os.listdir())'))).toBe(
      "42\n['helper.py']",
    );
  });

  it('include what child processes write, and their output is captured too', async () => {
    const { run } = setUp();
    const code =
      'import subprocess\nprint("parent")\nsubprocess.run("echo child; echo error >&2", shell=True)\nprint("again")';
    expect(textOf(await run(code))).toBe('parent\nchild\nerror\nagain');
  });
});
