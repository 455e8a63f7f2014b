import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFrameReader, encodeFrame } from '../../../src-main/tools/python/frames.ts';

const WORKER = path.join(import.meta.dirname, '..', '..', '..', 'assets', 'python', 'worker.py');
const LEFT_OPEN = 9;
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython)('the worker of CPython (needs python3)', () => {
  it('closes what the starter of its starter left open', async () => {
    const stdio = Array.from({ length: LEFT_OPEN + 1 }, () => 'ignore' as 'ignore' | 'pipe' | number);
    stdio.splice(1, 3, 'pipe', 'pipe', 'pipe');
    stdio[LEFT_OPEN] = openSync(WORKER, 'r');
    const worker = spawn(
      'python3',
      [
        '-I',
        WORKER,
        JSON.stringify({ preload: [], writable: [], copies: {}, packages: null, refuseUnixSockets: false }),
      ],
      {
        stdio,
      },
    );
    onTestFinished(() => void worker.kill('SIGKILL'));
    const control = worker.stdio[3];
    if (!(control instanceof Duplex)) throw new Error('there is no channel');
    const done = Promise.withResolvers<unknown>();
    const heard: unknown[] = [];
    control.on(
      'data',
      createFrameReader(
        (message) => {
          if (heard.push(message) === 2) done.resolve(message);
        },
        () => done.reject(new Error('nonsense')),
      ),
    );
    const code = `import os; "${LEFT_OPEN}" in os.listdir("/proc/self/fd")`;
    const time = { cpuSeconds: 60, softSeconds: 60, dumpSeconds: 60 };
    control.write(encodeFrame({ code, mark: 'x', last: true, limits: {}, ...time }));
    expect(await done.promise).toMatchObject({ type: 'done', value: 'False' });
  });
});
