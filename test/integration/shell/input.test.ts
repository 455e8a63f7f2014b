import { describe, expect, test } from 'vitest';
import { SHELLS, textOf } from '../../fixtures/shell.ts';

/** Whether a program reads the terminal is found out through /proc. */
const canLook = process.platform === 'linux';

for (const { name, missing, open } of SHELLS)
  describe.skipIf(missing)(name, () => {
    describe.skipIf(!canLook)('a program that waits for somebody to type (needs /proc)', () => {
      test.each([
        ['cat', 'cat', 'cat'],
        ['read', 'read -p "name? " name', 'read -p "name? " name'],
        ['read without echo', 'read -s secret', 'read -s secret'],
        ['a pipeline', 'cat | sort', 'cat'],
        ['a subshell', '(cat)', 'cat'],
        ['a nested shell', 'bash --norc', 'bash --norc'],
        ['a shell that took its place', 'exec bash --norc', 'exec bash --norc'],
      ])('%s: the call returns and says so, long before the limit', async (_name, command, program) => {
        const { call, run } = await open();
        const result = await call({ command, timeout: 60 });
        expect(result).toMatchObject({
          isError: false,
          structuredContent: { state: 'waiting', running: { command: program } },
        });
        expect(result.system).toContain(`\`${program}\` reads the terminal`);
        expect(await run('echo next')).toMatch(/next$/);
      });

      test('a program that only takes its time is not taken for one', async () => {
        const { call } = await open();
        expect(await call({ command: 'sleep 0.9; echo done' })).toMatchObject({
          content: [{ type: 'text', text: 'done' }],
          structuredContent: { state: 'ended' },
        });
      });

      test('what is typed reaches it; a prompt, an answer, a prompt', async () => {
        const { call } = await open();
        expect(textOf(await call({ command: 'python3 -q' }))).toContain('>>>');
        const answer = await call({ input: '6 * 7\n' });
        expect(textOf(answer)).toContain('42');
        expect(answer.structuredContent).toMatchObject({ state: 'waiting' });
        expect((await call({ input: 'raise SystemExit(3)\n' })).structuredContent).toMatchObject({ exitCode: 3 });
      });

      test('text without a line break is typed as it is', async () => {
        const { call } = await open();
        await call({ command: 'read answer; echo "got [$answer]"' });
        expect(await call({ input: 'ye' })).toMatchObject({
          content: [{ type: 'text', text: 'ye' }],
          structuredContent: { state: 'waiting' },
        });
        expect(textOf(await call({ input: 's\n' }))).toBe('s\ngot [yes]');
      });

      test('Ctrl-C interrupts, Ctrl-D ends the input', async () => {
        const { call, run } = await open();
        await run('kept=1');
        await call({ command: 'cat' });
        expect((await call({ input: '\u0004' })).structuredContent).toMatchObject({ state: 'ended', exitCode: 0 });
        await call({ command: 'cat' });
        expect((await call({ input: '\u0003' })).structuredContent).toMatchObject({ state: 'ended', exitCode: 130 });
        expect(await run('echo $kept')).toBe('1');
      });
    });

    test('input given with the command is typed into it', async () => {
      const { call } = await open();
      const result = await call({ command: 'read a; read b; echo "$b $a"', input: 'one\ntwo\n' });
      expect(textOf(result)).toBe('one\ntwo\ntwo one');
    });

    test('what a program did not read does not become part of the next command', async () => {
      const { call, run } = await open();
      await call({ command: 'true', input: 'rm -rf' });
      expect(await run('echo next')).toBe('next');
    });

    test('typing or waiting when nothing runs is an error with a hint', async () => {
      const { call } = await open();
      await expect(call({ input: 'text\n' })).rejects.toMatchObject({ code: 'bad_input', hint: 'Give a command.' });
      await expect(call({})).rejects.toMatchObject({ code: 'bad_input' });
    });
  });
