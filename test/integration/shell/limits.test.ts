import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { processIdentity } from '../../../src-main/platform/index.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { SHELLS, textOf } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

for (const { name, missing, open } of SHELLS)
  describe.skipIf(missing)(name, () => {
    describe('a command that takes longer than its limit', () => {
      test('gives what there was, says what runs, and is an error', async () => {
        const { call } = await open();
        const result = await call({ command: 'echo begun; sleep 300', timeout: 0.3 });
        expect(result).toMatchObject({
          isError: true,
          content: [{ type: 'text', text: 'begun' }],
          structuredContent: { state: 'running', running: { command: 'sleep 300' } },
        });
        expect(result.system).toMatch(/`echo begun; sleep 300` still runs.*0\.3 s.*`sleep 300` \(pid \d+\)/);
      });

      test('has the setting as its limit when the call names none', async () => {
        const { call } = await open({
          settings: (defaults) => ({ ...defaults, shell: { ...defaults.shell, timeoutSeconds: 0.2 } }),
        });
        expect((await call({ command: 'sleep 300' })).system).toContain('0.2 s');
      });

      test('is reported after a silence, whatever time is left, with what there was', async () => {
        const { call } = await open();
        const result = await call({ command: 'echo begun; sleep 300', silence: 0.3 });
        expect(result).toMatchObject({
          isError: true,
          content: [{ type: 'text', text: 'begun' }],
          structuredContent: { state: 'running', limit: 'silence', running: { command: 'sleep 300', reads: 'no' } },
        });
        expect(result.system).toMatch(/silent for 0\.3 s.*`sleep 300` \(pid \d+\), which does not wait for typing/);
        // Waiting on is a new silence.
        expect((await call({ silence: 0.1 })).structuredContent).toMatchObject({ limit: 'silence' });
      });

      test('is not taken for silent while it writes, and has the setting as its limit for silence', async () => {
        const { call } = await open({
          settings: (defaults) => ({ ...defaults, shell: { ...defaults.shell, silenceSeconds: 1 } }),
        });
        const lively = await call({ command: 'for i in 1 2 3 4 5 6 7; do sleep 0.2; echo $i; done' });
        expect(lively.structuredContent).toMatchObject({ state: 'ended' });
        expect((await call({ command: 'sleep 300' })).structuredContent).toMatchObject({ limit: 'silence' });
      });

      test('goes on: a call with nothing waits for it, with the output since then', async () => {
        const { call, workspace } = await open();
        const command = 'echo one; until [ -e go ]; do sleep 0.02; done; echo two; (exit 5)';
        expect(textOf(await call({ command, timeout: 0.2 }))).toBe('one');
        expect(await call({ timeout: 0.1 })).toMatchObject({ content: [], structuredContent: { state: 'running' } });
        writeFileSync(`${workspace}/go`, '');
        expect(await call({})).toMatchObject({
          content: [{ type: 'text', text: 'two' }],
          structuredContent: { state: 'ended', exitCode: 5 },
        });
      });

      test('is stopped by the next command; directory and variables are kept', async () => {
        const { call, run, workspace } = await open();
        await run('mkdir sub; cd sub; kept=1');
        const late = await call({ command: 'sleep 300', timeout: 0.2 });
        const { pid } = late.structuredContent?.['running'] as { pid: number };
        const result = await call({ command: 'pwd; echo $kept' });
        expect(result.content.at(-1)).toEqual({ type: 'text', text: `${workspace}/sub\n1` });
        expect(result.system).toContain('`sleep 300`, which still ran, was stopped first.');
        expect(processIdentity(pid)).toBeUndefined();
      });

      test('that ended meanwhile is told of before the next command', async () => {
        const { call, workspace } = await open();
        await call({ command: 'until [ -e go ]; do sleep 0.02; done; echo tail; touch done', timeout: 0.1 });
        writeFileSync(`${workspace}/go`, '');
        await waitFor(() => existsSync(`${workspace}/done`));
        const result = await call({ command: 'echo mine' });
        expect(textOf(result)).toMatch(/tail\nmine$/);
      });

      test.each([
        ['a loop of builtins', 'while :; do :; done'],
        ['a loop of programs', 'while :; do sleep 0.05; done'],
        [
          'a program that ignores Ctrl-C',
          'python3 -c "import signal,time; signal.signal(2, signal.SIG_IGN); time.sleep(300)"',
        ],
        ['one that ignores SIGTERM as well', `bash -c 'trap "" INT TERM HUP; while :; do sleep 0.05; done'`],
        ['a pipeline', 'sleep 300 | cat | cat'],
        ['a terminal in raw mode', 'stty raw; sleep 300'],
        ['a replaced PROMPT_COMMAND', 'PROMPT_COMMAND="true"; sleep 300'],
        ['without job control', 'set +m; sleep 300 | cat'],
      ])('%s is stopped, and the variables stay', async (_name, command) => {
        const { call, run } = await open();
        await run('kept=1');
        expect((await call({ command, timeout: 0.4 })).structuredContent).toMatchObject({ state: 'running' });
        expect((await call({ command: 'echo $kept' })).content.at(-1)).toEqual({ type: 'text', text: '1' });
      });

      test('a shell that ignores Ctrl-C itself is replaced, in the same directory, and that is said', async () => {
        const { call, run, workspace } = await open();
        await run('mkdir sub; cd sub');
        await call({ command: 'trap "" INT; while :; do :; done', timeout: 0.2 });
        const result = await call({ command: 'pwd' });
        expect(result.content.at(-1)).toEqual({ type: 'text', text: `${workspace}/sub` });
        expect(result.system).toContain('replaced');
      });

      test('restart ends it, with everything it started, and begins in the workspace', async () => {
        const { call, run, workspace } = await open();
        await run('mkdir sub; cd sub; gone=1; sleep 301.25 &');
        await call({ command: 'sleep 300', timeout: 0.1 });
        const result = await call({ restart: true });
        expect(result).toMatchObject({ isError: false, structuredContent: { state: 'restarted', cwd: workspace } });
        expect(commandLinesWith('sleep 301.25')).toEqual([]);
        expect(await run('echo "[$gone]"')).toBe('[]');
      });

      test('restart with a command runs it in the new shell', async () => {
        const { call, run } = await open();
        await run('gone=1');
        const result = await call({ restart: true, command: 'echo "[$gone]"' });
        expect(textOf(result)).toBe('[]');
        expect(result.system).toContain('restarted');
      });
    });

    describe('cancelling', () => {
      test('returns what there was although the program ignores every polite signal, and the shell stays usable', async () => {
        const { call, run, live } = await open();
        await run('kept=1');
        const controller = new AbortController();
        const command = `bash -c 'trap "" INT TERM HUP; echo begun; while :; do sleep 0.05; done'`;
        const running = call({ command }, { signal: controller.signal });
        await waitFor(() => live().includes('begun'));
        controller.abort();
        const result = await running;
        expect(result).toMatchObject({ isError: true, structuredContent: { state: 'cancelled' } });
        expect(textOf(result)).toBe('begun');
        expect(await run('echo $kept')).toBe('1');
      });

      test('a call that waits for its turn is cancelled without having run', async () => {
        const { call, run, workspace } = await open();
        const controller = new AbortController();
        const first = call({ command: 'until [ -e go ]; do sleep 0.02; done' });
        const second = call({ command: 'touch ran' }, { signal: controller.signal });
        controller.abort(new Error('not wanted any more'));
        await expect(second).rejects.toThrow('not wanted any more');
        writeFileSync(`${workspace}/go`, '');
        await first;
        await run('true');
        expect(existsSync(`${workspace}/ran`)).toBe(false);
      });

      test('a call that was cancelled before it began runs nothing', async () => {
        const { call, workspace } = await open();
        await expect(call({ command: 'touch ran' }, { signal: AbortSignal.abort() })).rejects.toThrow();
        expect(existsSync(`${workspace}/ran`)).toBe(false);
      });
    });

    describe('order', () => {
      test('calls on one session run one after the other, in the order in which they came', async () => {
        const { call, run } = await open();
        const numbers = Array.from({ length: 20 }, (_, index) => index);
        await Promise.all(
          numbers.map((number) => call({ command: `echo ${number} >>order; sleep 0.00$((RANDOM % 9))` })),
        );
        expect(await run('cat order')).toBe(numbers.join('\n'));
      });

      test('two sessions have two shells that do not wait for each other', async () => {
        const { call, workspace } = await open();
        const first = call({ command: 'mine=1; until [ -e go ]; do sleep 0.02; done' }, { sessionId: 'a' });
        expect(textOf(await call({ command: 'echo "[$mine]"; touch go' }, { sessionId: 'b' }))).toBe('[]');
        await first;
        expect(existsSync(`${workspace}/go`)).toBe(true);
      });
    });
  });
