import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { buildWasmWorker, python, runPython, textOf, type Run } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

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

describe.skipIf(!hasBubblewrap)('what a call of a session leaves running (needs bubblewrap)', () => {
  // Runs in a child, which goes on when the call has ended; the sleeping program shows whether the sandbox is still there.
  const leave = (marker: string, deed: string): string => `
import os, subprocess, time
kept = subprocess.Popen(["sleep", "${marker}"])
if os.fork() == 0:
    time.sleep(0.1)
    ${deed}
    time.sleep(1000)`;

  it.each([
    ['memory', 'x = [b"x" * (64 << 20) for _ in range(48)]'],
    ['output', 'while True: os.write(1, b"x" * (1 << 20))'],
    ['processes', 'children = [subprocess.Popen(["sleep", "1000"]) for _ in range(200)]'],
  ])('is held to the limits between calls: %s', async (limit, deed) => {
    const marker = `4000${limit.length}.${process.pid}`;
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    await runPython(tool, { code: leave(marker, deed), workspace, session: true });
    expect(commandLinesWith(marker)).toHaveLength(1);
    await waitFor(() => commandLinesWith(marker).length === 0, { what: 'the end of the sandbox' });
    const next = await runPython(tool, { code: '"kept" in globals()', workspace, session: true });
    expect(textOf(next)).toBe('False');
    expect(next.system).toContain('started afresh');
  });
});
