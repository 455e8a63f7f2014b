import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRunning, processIdentity } from '../../../src-main/platform/index.ts';
import { buildWasmWorker } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** Starts a worker, lets it loop for ever, and says so. */
function program(workerPath: string): string {
  const source = (file: string): string => JSON.stringify(path.resolve('src-main/tools/python', file));
  return `
    const { startWasmProcess } = await import(${source('wasm/process.ts')});
    const { createWorker } = await import(${source('worker.ts')});
    const { readFileSync } = await import('node:fs');
    const options = { nodePath: process.execPath, workerPath: ${JSON.stringify(workerPath)}, measure: () => undefined };
    const link = startWasmProcess(options);
    const limits = { memoryBytes: 1e10, processes: 9, cores: 2, idleCpuMs: 1e4, outputBytes: 1e6, perProcess: {} };
    const worker = createWorker(link, limits);
    link.send({ runner: readFileSync(${JSON.stringify(path.resolve('assets/python/causeway_runner.py'))}, 'utf8') });
    const signal = new AbortController().signal;
    const onOutput = () => process.stdout.write('looping');
    await worker.run({ code: 'print("up")\\nwhile True: pass', timeoutMs: 600000, last: true, signal, onOutput });`;
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return text ? text.split(' ').map(Number) : [];
}

describe.skipIf(process.platform !== 'linux')('the process of Pyodide (looked at through /proc: needs Linux)', () => {
  it('ends with the program that started it, even when that is killed while the code loops', async () => {
    const workerPath = await buildWasmWorker(temporaryFolder());
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program(workerPath)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    const [guardian = 0] = childrenOf(parent.pid ?? 0);
    const identities = [guardian, ...childrenOf(guardian)].map(processIdentity).filter((one) => one !== undefined);
    expect(identities).toHaveLength(2);
    parent.kill('SIGKILL');
    await waitFor(() => identities.every((one) => !isRunning(one)), { what: 'the end of the worker' });
  });
});
