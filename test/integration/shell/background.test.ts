import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../../../src-shared/index.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { SHELLS, textOf } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

function handleOf(result: ToolResult): string {
  return String(result.structuredContent?.['handle']);
}

for (const { name, missing, open } of SHELLS)
  describe.skipIf(missing)(name, () => {
    describe('background jobs', () => {
      test('start at once, and show their output since the last look', async () => {
        const { call, workspace } = await open();
        const command = 'echo one; until [ -e go ]; do sleep 0.01; done; echo two; (exit 4)';
        const started = await call({ command, background: true });
        expect(started).toMatchObject({ isError: false, structuredContent: { state: 'running', job: '1' } });
        const texts: string[] = [];
        await waitFor(async () => texts.push(textOf(await call({ job: '1' }))) && texts.join('').includes('one'));
        expect(await call({ job: '1' })).toMatchObject({ content: [], isError: false });
        writeFileSync(`${workspace}/go`, '');
        const ended = await call({ job: '1', timeout: 30 });
        expect(textOf(ended)).toBe('two');
        expect(ended).toMatchObject({ isError: true, structuredContent: { state: 'ended', exitCode: 4 } });
      });

      test("take over the shell's directory, variables, functions and options, and change nothing there", async () => {
        const { call, run, workspace } = await open();
        await run(
          'mkdir sub; cd sub; plain=1; export SHOWN=2; greet() { echo "hello $1"; }; shopt -s nullglob; (exit 7)',
        );
        await call({ command: 'pwd; echo $plain $SHOWN; greet you; echo x*y; cd /; plain=9', background: true });
        expect(textOf(await call({ job: '1', timeout: 30 }))).toBe(`${workspace}/sub\n1 2\nhello you\n`);
        expect(await run('echo $? $plain; pwd')).toBe(`7 1\n${workspace}/sub`);
      });

      test('keep their whole output under a handle while they run', async () => {
        const { call, read } = await open();
        const started = await call({ command: 'seq 1 50000; sleep 300', background: true });
        await waitFor(() => read(handleOf(started)).text.endsWith('\n50000\n'));
        expect(read(handleOf(started)).text).toMatch(/^1\n2\n/);
      });

      test('take input and are stopped with all their processes', async () => {
        const { call, workspace } = await open();
        await call({ command: 'read line; echo "got $line"; sleep 302.25 & touch begun; wait', background: true });
        await call({ job: '1', input: 'typed\n' });
        await waitFor(() => existsSync(`${workspace}/begun`));
        const stopped = await call({ job: '1', stop: true });
        expect(textOf(stopped)).toContain('got typed');
        expect(stopped.structuredContent).toMatchObject({ state: 'ended' });
        expect(commandLinesWith('sleep 302.25')).toEqual([]);
      });

      test('do not hold up the shell, survive its restart, and are listed', async () => {
        const { call, run } = await open();
        await call({ command: 'sleep 300', background: true });
        await call({ command: 'false', background: true });
        await call({ job: '2', timeout: 30 });
        expect(await run('echo next')).toBe('next');
        await call({ restart: true });
        expect(textOf(await call({ background: true }))).toBe(
          '1: running: sleep 300\n2: ended with exit code 1: false',
        );
      });

      test('can be started while a command still runs', async () => {
        const { call } = await open();
        await call({ command: 'sleep 300', timeout: 0.1 });
        await call({ command: 'echo from the job', background: true });
        expect(textOf(await call({ job: '1', timeout: 30 }))).toBe('from the job');
        expect((await call({ timeout: 0.1 })).structuredContent).toMatchObject({ state: 'running' });
      });

      test('an unknown one is named, with those there are', async () => {
        const { call } = await open();
        await call({ command: 'true', background: true });
        await expect(call({ job: '7' })).rejects.toMatchObject({ code: 'not_found', hint: 'There are: 1.' });
      });
    });
  });
