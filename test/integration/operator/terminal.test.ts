import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createLocalOperator, type Terminal } from '../../../src-main/operator/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

async function open(script: string): Promise<{ terminal: Terminal; output: () => string; ended: Promise<undefined> }> {
  const operator = await createLocalOperator({ workspace: temporaryFolder() });
  const terminal = operator.openTerminal({
    argv: ['sh', '-c', script],
    cwd: operator.workspace,
    env: { PATH: process.env['PATH'] ?? '' },
    columns: 80,
    rows: 24,
  });
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  let output = '';
  terminal.onData((bytes) => (output += Buffer.from(bytes).toString('latin1')));
  terminal.onExit(() => resolve(undefined));
  return { terminal, output: () => output, ended };
}

test('a megabyte typed into a slow reader arrives whole and in order', async () => {
  const { terminal, output, ended } = await open('stty raw -echo; echo ready; head -c 1000000 | cksum');
  await waitFor(() => output().includes('ready'));
  const typed = Buffer.alloc(1_000_000, 'abcdefghijklmnopqrstuvwxyz');
  for (let at = 0; at < typed.length; at += 70_000) terminal.write(typed.subarray(at, at + 70_000));
  await ended;
  expect(output()).toContain('1000000');
  expect(output()).toContain(String(await checksum(typed)));
});

test('Ctrl-C is not kept waiting behind text that nobody reads', async () => {
  const { terminal, output, ended } = await open('echo ready; exec sleep 300');
  await waitFor(() => output().includes('ready'));
  terminal.write('x'.repeat(200_000));
  terminal.write('\x03');
  await ended;
});

test('text that was still waiting when the program ended is dropped: nothing is written and nothing is said', async () => {
  const program = fileURLToPath(new URL('../../fixtures/operator/type-into-ending-program.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await once(child, 'close');
  expect(said.trim()).toBe('untouched');
});

test.skipIf(process.platform !== 'linux')(
  'a foreground program that has just ended is nobody, and not the program of the terminal (only Linux tells)',
  async () => {
    const { terminal, output } = await open(`exec python3 -c '${LEAVES_AN_EMPTY_FOREGROUND}'`);
    await waitFor(() => output().includes('gone'));
    expect(terminal.foreground()).toMatchObject({ own: false, reads: 'no' });
    await terminal.kill();
  },
);

/** What a shell with job control does between a program's end and taking the terminal back, for as long as one likes. */
const LEAVES_AN_EMPTY_FOREGROUND = `
import os, time
child = os.fork()
if child == 0:
    time.sleep(60)
os.setpgid(child, child)
os.tcsetpgrp(0, child)
os.kill(child, 9)
os.waitpid(child, 0)
os.write(1, b"gone")
time.sleep(60)
`;

async function checksum(bytes: Uint8Array): Promise<number> {
  const child = spawn('cksum', { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(bytes);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'close');
  return Number(text.split(' ')[0]);
}
