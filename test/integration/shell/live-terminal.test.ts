import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LiveTerminal } from '../../../src-main/tools/bash/index.ts';
import { openShellBench, textOf, type ShellBench } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

const textIn = (live: LiveTerminal): string => Buffer.from(live.snapshot()).toString();

/** Starts a command and gives its terminal once it has written `sign`. */
async function watch({ call, tool }: ShellBench, command: string, sign: string) {
  const result = call({ command, timeout: 60 });
  const live = await waitFor(() => {
    const found = tool.terminal('session');
    return found && textIn(found).includes(sign) ? found : undefined;
  });
  return { live, result };
}

describe('a running command as a live terminal', () => {
  test('shows what was written so far, then what comes, until the end', async () => {
    const bench = await openShellBench();
    const { live, result } = await watch(bench, 'echo early; until [ -e go ]; do sleep 0.01; done; echo late', 'early');
    expect(textIn(live)).toBe('early\n');
    let seen = '';
    let ended = false;
    live.onData((bytes) => (seen += Buffer.from(bytes).toString()));
    live.onEnd(() => (ended = true));
    await bench.call({ command: 'touch go' }, { sessionId: 'other' });
    await result;
    expect(seen).toBe('late\n');
    await waitFor(() => ended);
    expect(bench.tool.terminal('session')).toBeUndefined();
    expect(() => live.write('x')).toThrow('has ended');
  });

  test('takes what a person types, while a call waits and after it has returned', async () => {
    const bench = await openShellBench();
    const { live, result } = await watch(bench, 'read -p "first? " a; read -p "second? " b; echo "$a-$b"', 'first? ');
    live.write('one\n');
    expect((await result).structuredContent).toMatchObject({ state: 'waiting' });
    bench.tool.terminal('session')?.write('two\n');
    expect(textOf(await bench.call({}))).toMatch(/one-two$/);
  });

  test('tells whether the terminal shows what is typed', async () => {
    const bench = await openShellBench();
    const plain = await watch(bench, 'read -p "name? " name', 'name? ');
    expect(await plain.live.typedText()).toBe('shown');
    plain.live.write('me\n');
    expect(textOf(await plain.result)).toBe('name? me');
    expect(await plain.live.typedText()).toBe('hidden');
    const secret = await watch(bench, 'read -s -p "word? " word; echo; echo "${#word}"', 'word? ');
    expect(await secret.live.typedText()).toBe('hidden');
    secret.live.write('\n');
    await secret.result;
  });

  test('a password is neither in the output, nor live, nor in any file of ours', async () => {
    const bench = await openShellBench();
    const python = `import getpass; print(len(getpass.getpass("Password: ")))`;
    const { live, result } = await watch(bench, `python3 -c '${python}'`, 'Password: ');
    const waiting = await result;
    expect(waiting.structuredContent).toMatchObject({ state: 'waiting', typing: 'hidden' });
    expect(waiting.system).toContain('the person');
    live.write('tr0ub4dor\n');
    const ended = await bench.call({});
    expect(textOf(ended)).toMatch(/^9$/m);
    expect(JSON.stringify([waiting, ended]) + bench.live()).not.toContain('tr0ub4dor');
    for (const file of filesUnder(path.dirname(bench.runDir))) {
      expect(readFileSync(file, 'latin1')).not.toContain('tr0ub4dor');
    }
  });

  test('is resized for the program that runs, and has its own size again for the next', async () => {
    const bench = await openShellBench();
    expect(await bench.run('stty size')).toBe('50 160');
    const { live, result } = await watch(bench, 'echo ready; until [ -e go ]; do sleep 0.01; done; stty size', 'ready');
    live.resize(91.7, 0);
    await bench.call({ command: 'touch go' }, { sessionId: 'other' });
    expect(textOf(await result)).toBe('ready\n1 91');
    expect(await bench.run('stty size')).toBe('50 160');
  });

  test('of a background job is found by its name', async () => {
    const { call, tool } = await openShellBench();
    await call({ command: 'read line; echo "got $line"', background: true });
    tool.terminal('session', '1')?.write('it\n');
    expect(textOf(await call({ job: '1', timeout: 30 }))).toBe('it\ngot it');
    expect(tool.terminal('session', '1')).toBeUndefined();
    expect(tool.terminal('nobody')).toBeUndefined();
  });

  test('a flood is shown by its last part only', async () => {
    const bench = await openShellBench();
    const { live } = await watch(bench, 'seq 1 200000; sleep 300', '200000\n');
    expect(live.snapshot().length).toBeLessThanOrEqual(256 * 1024);
    expect(textIn(live)).toMatch(/199999\n200000\n$/);
  });
});

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
