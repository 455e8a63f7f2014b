import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../../src-shared/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { buildWasmWorker, python, runPython, textOf } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const WRITE = 'open("made.txt", "w").write("x")';

describe.skipIf(!hasBubblewrap)('CPython with a read-only workspace (needs bubblewrap)', () => {
  it('reads files of the workspace and writes none, by whatever way', async () => {
    const workspace = temporaryFolder();
    writeFileSync(path.join(workspace, 'data.txt'), 'here');
    const tool = python({ backend: 'bubblewrap', policy: () => ({ workspace: 'read-only' }) });
    const code = `
import os, subprocess
print(open("data.txt").read())
for way in (
    lambda: open("made.txt", "w"),
    lambda: open("data.txt", "a"),
    lambda: os.remove("data.txt"),
    lambda: os.rename("data.txt", "moved"),
    lambda: os.mkdir("folder"),
    lambda: os.symlink("/tmp", "link"),
    lambda: os.chmod("data.txt", 0o777),
    lambda: subprocess.run(["touch", "made.txt"], check=True, stderr=subprocess.DEVNULL),
):
    try:
        way()
        print("WRITTEN")
    except (OSError, subprocess.CalledProcessError):
        pass
open("/tmp/own.txt", "w").write("x")`;
    const result = await runPython(tool, { code, workspace });
    expect(textOf(result)).toBe('here\n1');
    expect(readdirSync(workspace)).toEqual(['data.txt']);
  });

  it('says so to the model, and to the person', async () => {
    const tool = python({ backend: 'bubblewrap', policy: () => ({ workspace: 'read-only' }) });
    expect((await tool.describe()).reason).toContain('nothing that can be written');
    expect(tool.description).toContain('READ-ONLY');
    expect(tool.description).not.toContain('write files there');
  });

  it('holds from the next call on when it is set, also for workers that wait and for sessions', async () => {
    const workspace = temporaryFolder();
    let policy: Settings['python']['workspace'] = 'read-write';
    const tool = python({ backend: 'bubblewrap', policy: () => ({ workspace: policy }) });
    for (const session of [false, true]) await runPython(tool, { code: WRITE, workspace, session });
    policy = 'read-only';
    for (const session of [false, true]) {
      const result = await runPython(tool, { code: WRITE, workspace, session });
      expect(textOf(result)).toContain('Read-only file system');
      if (session) expect(result.system).toContain('started afresh');
    }
    expect(tool.description).toContain('READ-ONLY');
  });
});

describe('Pyodide with a read-only workspace', () => {
  it('is as without: it sees no workspace', async () => {
    const workspace = temporaryFolder();
    const wasmWorkerPath = await buildWasmWorker(temporaryFolder());
    const tool = python({ backend: 'wasm', wasmWorkerPath, policy: () => ({ workspace: 'read-only' }) });
    expect(textOf(await runPython(tool, { code: WRITE, workspace }))).toBe('1');
    expect(existsSync(path.join(workspace, 'made.txt'))).toBe(false);
    expect(tool.description).toContain('NO files of the workspace');
  });
});
