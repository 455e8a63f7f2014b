import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { loadPyodide, PyodideAPI } from 'pyodide';
import type { PyCallable } from 'pyodide/ffi';
import { isWithinBounds, MAX_MESSAGE_BYTES, MAX_PICTURE_BYTES } from '../bounds.ts';
import { findLeaks, removePowers, replaceBinding } from './lockdown.ts';

/**
 * The program of the locked-down process: loads Pyodide and runs code on request. Arguments: the folder of Pyodide, a file
 * that must not be readable. Messages come and go over Node's IPC channel; the first brings the runner's source. What the
 * code writes goes to descriptor 1.
 */

interface Request {
  code: string;
  mark: string;
}

const OUTPUT = 1;
const HOME = '/home/agent';
const RUNNER_FOLDER = '/lib/causeway';
const [pyodideFolder = '', outside = ''] = process.argv.slice(2);
const tell = process.send?.bind(process) ?? (() => process.exit(1));
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** The pipe does not block: when it is full, wait a moment. */
function writeAll(bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += fs.writeSync(OUTPUT, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(sleeper, 0, 0, 2);
    }
  }
}

/** The memory of an interpreter that has just started, as the build left it here; without one a start takes longer. */
function readSnapshot(version: string): Uint8Array | undefined {
  const file = path.join(import.meta.dirname, `pyodide-${version}.snapshot`);
  return fs.existsSync(file) ? fs.readFileSync(file) : undefined;
}

async function load(): Promise<PyodideAPI> {
  const module: { loadPyodide: typeof loadPyodide; version: string } = await import(
    pathToFileURL(path.join(pyodideFolder, 'pyodide.mjs')).href
  );
  const memory = readSnapshot(module.version);
  const python = await module.loadPyodide({
    ...{ indexURL: pyodideFolder, jsglobals: {}, env: { HOME } },
    ...(memory && { _loadSnapshot: memory }),
  });
  const write = (bytes: Uint8Array): number => {
    writeAll(bytes);
    return bytes.length;
  };
  python.setStdout({ write });
  python.setStderr({ write });
  python.setStdin({ stdin: () => undefined });
  return python;
}

/** Runs in Python once: os.system would reach the runtime, whose refusal is fatal to the interpreter. */
const PREPARE = `
import base64, json, os, posix, sys

sys.path.append("${RUNNER_FOLDER}")
sys.path.insert(0, "${HOME}")
for _name in ("_", "PYTHONINSPECT", "LD_LIBRARY_PATH"):
    os.environ.pop(_name, None)

def _refuse(*_args, **_options):
    raise PermissionError(1, "Programs can't be started in the sandbox")

for _module in (os, posix):
    for _name in ("system", "popen", "fork", "execv", "execve"):
        if hasattr(_module, _name):
            setattr(_module, _name, _refuse)

# All interpreters begin with the same memory.
if "random" in sys.modules:
    sys.modules["random"].seed()

import causeway_runner
_namespace = causeway_runner.new_namespace()

def _serve(code, send_picture):
    send = lambda kind, data: send_picture(kind, base64.b64encode(data).decode("ascii"))
    report = causeway_runner.run(code, _namespace, send)
    sys.stdout.flush()
    sys.stderr.flush()
    return json.dumps(report)
_serve
`;

function prepare(python: PyodideAPI, runner: string): (code: string) => Promise<string> {
  python.FS.mkdirTree(HOME);
  python.FS.mkdirTree(RUNNER_FOLDER);
  python.FS.writeFile(`${RUNNER_FOLDER}/causeway_runner.py`, runner);
  python.FS.chdir(HOME);
  const serve: PyCallable = python.runPython(PREPARE);
  return (code) =>
    // So that asyncio.run can wait: the whole of Python is put aside meanwhile.
    serve.callPromising(code, (mimeType: string, data: string) => {
      // The code can call this, too.
      if (data.length <= 2 * MAX_PICTURE_BYTES) tell({ type: 'picture', mimeType, data });
    });
}

/** What the code made of the report is not parsed by anybody before it is known to be small. */
function readReport(said: string): object {
  const bytes = Buffer.from(said);
  const fits = bytes.length <= MAX_MESSAGE_BYTES && isWithinBounds(bytes);
  const report: unknown = fits ? JSON.parse(said) : undefined;
  if (typeof report === 'object' && report !== null) return report;
  return { ok: false, traceback: '[the result was too large to be sent]' };
}

async function main(runner: string): Promise<(request: Request) => Promise<void>> {
  replaceBinding();
  const leaks = await findLeaks(outside);
  if (leaks.length > 0) {
    const reason = `WebAssembly Python is off: on Node ${process.versions.node} the sandbox would allow ${leaks.join(', ')}.`;
    tell({ type: 'refused', reason: `${reason} Node 25 or newer can prevent that.` });
    throw new Error(reason);
  }
  const python = await load();
  const run = prepare(python, runner);
  removePowers();
  tell({ type: 'ready', python: python.runPython('sys.version.split()[0]'), runtime: process.versions.node });
  return async ({ code, mark }) => {
    const report = readReport(await run(code));
    writeAll(Buffer.from(mark));
    tell({ ...report, type: 'done' });
  };
}

process.on('disconnect', () => process.exit(0));
process.once('message', (first: { runner: string }) => {
  void main(first.runner).then(
    (serve) => process.on('message', (request: Request) => void serve(request)),
    () => process.disconnect?.(),
  );
});
