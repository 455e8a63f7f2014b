import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { buildWasmWorker, makePython, python, runPython, textOf, type Run } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const backends = [
  { name: 'CPython', backend: 'bubblewrap', skip: !hasBubblewrap },
  { name: 'Pyodide', backend: 'wasm', skip: false },
] as const;

for (const { name, backend, skip } of backends) {
  describe.skipIf(skip)(`a session of ${name}${backend === 'bubblewrap' ? ' (needs bubblewrap)' : ''}`, () => {
    async function open(): Promise<{
      run: (code: string, more?: Partial<Run>) => ReturnType<typeof runPython>;
      restart: (sessionId: string) => Promise<boolean>;
    }> {
      const workspace = temporaryFolder();
      const wasmWorkerPath = backend === 'wasm' ? await buildWasmWorker(temporaryFolder()) : undefined;
      const tool = python({ backend, ...(wasmWorkerPath !== undefined && { wasmWorkerPath }) });
      return {
        run: (code, more = {}) => runPython(tool, { code, workspace, session: true, ...more }),
        restart: (sessionId) => tool.restart(sessionId),
      };
    }

    it('forgets its variables when a call says restart, and keeps those of that call', async () => {
      const { run } = await open();
      await run('a = 1');
      const result = await run('b = 2; "a" in globals()', { restart: true });
      expect(textOf(result)).toBe('False');
      expect(result.system).toBeUndefined();
      expect(textOf(await run('b'))).toBe('2');
    });

    it('is meant by restart alone, too', async () => {
      const { run } = await open();
      await run('a = 1', { session: false, restart: true });
      expect(textOf(await run('a'))).toBe('1');
    });

    it('is restarted by the person, and only that one; the next call is told', async () => {
      const { run, restart } = await open();
      expect(await restart('session-1')).toBe(false);
      await run('a = 1');
      await run('a = 2', { sessionId: 'session-2' });
      expect(await restart('session-1')).toBe(true);
      const result = await run('"a" in globals()');
      expect(textOf(result)).toBe('False');
      expect(result.system).toContain('variables of earlier calls are gone');
      expect(textOf(await run('a', { sessionId: 'session-2' }))).toBe('2');
    });

    it('is restarted by the person when the call that runs has ended', async () => {
      const { run, restart } = await open();
      await run('a = 1');
      const started = Promise.withResolvers<string>();
      const code = 'import time; print("started", flush=True); time.sleep(0.3); a';
      const running = run(code, { onLive: started.resolve });
      await started.promise;
      expect(await restart('session-1')).toBe(true);
      expect(textOf(await running)).toBe('started\n1');
    });
  });
}

describe.skipIf(!hasBubblewrap)('calls of a session that wait for their turn (needs bubblewrap)', () => {
  it('hold nobody else up, however many they are', async () => {
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    const started = Promise.withResolvers<string>();
    const code = 'import os, time\nprint("started", flush=True)\nwhile not os.path.exists("go"): time.sleep(0.01)';
    const many = 2 * availableParallelism() + 5;
    const waiting = Array.from({ length: many }, () =>
      runPython(tool, { code, workspace, session: true, timeout: 600, onLive: started.resolve }),
    );
    await started.promise;
    expect(textOf(await runPython(tool, { code: '6 * 7', workspace }))).toBe('42');
    expect(textOf(await runPython(tool, { code: '"other"', workspace, session: true, sessionId: 'other' }))).toBe(
      "'other'",
    );
    writeFileSync(path.join(workspace, 'go'), '');
    expect((await Promise.all(waiting)).map(textOf)).toEqual(Array.from({ length: many }, () => 'started'));
  });
});

describe.skipIf(!hasBubblewrap)('what a call of a session leaves running (needs bubblewrap)', () => {
  // Runs in a child, which goes on when the call has ended; the sleeping program shows whether the sandbox is still there.
  const leave = (marker: string, deed: string): string => `
import os, subprocess, time
kept = subprocess.Popen(["sleep", "${marker}"])
if os.fork() == 0:
    time.sleep(0.1)
    ${deed}
    time.sleep(1000)`;

  it('stands still until the next call, in every process and thread', async () => {
    const marker = `4001.${process.pid}`;
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    // Either would make the repository at once, if it ran.
    const code = `
import os, subprocess, threading, time
open("call-runs", "w").close()
deed = 'while [ -e call-runs ]; do :; done; mkdir .git; exec sleep ${marker}'
subprocess.Popen(["sh", "-c", deed])
def plant():
    while os.path.exists("call-runs"): pass
    os.mkdir(".vscode")
threading.Thread(target=plant, daemon=True).start()`;
    await runPython(tool, { code, workspace, session: true });
    rmSync(path.join(workspace, 'call-runs'));
    // Another call takes as long as either deed would.
    await runPython(tool, { code: 'sum(range(10**6))', workspace });
    expect(readdirSync(workspace)).toEqual([]);
    const waits = 'while not (os.path.exists(".git") and os.path.exists(".vscode")): time.sleep(0.01)';
    const next = await runPython(tool, { code: waits, workspace, session: true });
    expect(next.system).toContain('The code made .git in the workspace');
    expect(next.system).toContain('The code made .vscode in the workspace');
    expect(readdirSync(workspace).join()).toMatch(/^\.git\.from-sandbox-\d+,\.vscode\.from-sandbox-\d+$/);
  });

  it('does not make a repository of the person’s own, made between two calls, its own: it stays', async () => {
    const workspace = temporaryFolder();
    const tool = makePython({ backend: 'bubblewrap' });
    for (const next of [{}, { restart: true }]) {
      await runPython(tool, { code: 'a = 1', workspace, session: true });
      mkdirSync(path.join(workspace, '.git'));
      await runPython(tool, { code: '1', workspace, session: true, ...next });
      expect(readdirSync(workspace)).toEqual(['.git']);
      rmdirSync(path.join(workspace, '.git'));
    }
    await runPython(tool, { code: 'a = 1', workspace, session: true });
    mkdirSync(path.join(workspace, '.git'));
    await tool[Symbol.asyncDispose]();
    expect(readdirSync(workspace)).toEqual(['.git']);
  });

  it.each([
    ['memory', 'x = [b"x" * (64 << 20) for _ in range(48)]'],
    ['output', 'while True: os.write(1, b"x" * (1 << 20))'],
    ['processes', 'children = [subprocess.Popen(["sleep", "1000"]) for _ in range(200)]'],
  ])('is held to the limits in the call that lets it go on: %s', async (limit, deed) => {
    const marker = `4000${limit.length}.${process.pid}`;
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    await runPython(tool, { code: leave(marker, deed), workspace, session: true });
    expect(commandLinesWith(marker)).toHaveLength(1);
    const wait = { code: 'time.sleep(1000)', workspace, session: true, timeout: 1000 };
    const ended = await runPython(tool, wait);
    expect(ended.structuredContent?.['ending']).toBe(limit);
    expect(commandLinesWith(marker)).toHaveLength(0);
    const next = await runPython(tool, { code: '"kept" in globals()', workspace, session: true });
    expect(textOf(next)).toBe('False');
  });
});

describe.skipIf(!hasBubblewrap)('a call that comes after its session was lost (needs bubblewrap)', () => {
  it('is told so once: beyond the number that is kept', async () => {
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    const run = (sessionId: string) => runPython(tool, { code: '1', workspace, session: true, sessionId });
    for (let count = 0; count < 9; count += 1) expect((await run(`session-${count}`)).system).toBeUndefined();
    expect((await run('session-0')).system).toContain('started afresh');
    expect((await run('session-0')).system).toBeUndefined();
  });

  it('is told so after a call that was cancelled', async () => {
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    const abort = new AbortController();
    await runPython(tool, { code: 'a = 1', workspace, session: true });
    const code = 'import time; print("started", flush=True); time.sleep(1000)';
    await runPython(tool, { code, workspace, session: true, signal: abort.signal, onLive: () => abort.abort() });
    const next = await runPython(tool, { code: '"a" in globals()', workspace, session: true });
    expect(textOf(next)).toBe('False');
    expect(next.system).toContain('started afresh');
  });
});
