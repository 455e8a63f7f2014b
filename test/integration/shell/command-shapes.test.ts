import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { processIdentity } from '../../../src-main/platform/index.ts';
import { openShellBench, SHELLS, textOf } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

for (const { name, missing, open } of SHELLS)
  describe.skipIf(missing)(name, () => {
    describe('every shape of command ends', () => {
      test.each([
        ['a trailing comment', 'echo a # comment', 'a'],
        ['a comment alone', '# nothing', ''],
        ['a trailing semicolon', 'echo a;', 'a'],
        ['a trailing line break', 'echo a\n', 'a'],
        ['blank lines around', '\n\n  echo a\n\n', 'a'],
        ['several lines', 'for i in 1 2; do\n  echo $i\ndone\necho end', '1\n2\nend'],
        ['a heredoc', 'cat <<EOF\none $((1+1))\nEOF\necho after', 'one 2\nafter'],
        ['a quoted heredoc', "cat <<'EOF'\n$HOME `x`\nEOF", '$HOME `x`'],
        ['a line continuation', 'echo a \\\n  b', 'a b'],
        ['history characters', 'echo "wow!!" !$', 'wow!! !$'],
        ['an empty command', '', ''],
        ['nothing but spaces', '   ', ''],
        ['a tab', 'printf "a\\tb\\n"', 'a\tb'],
        ['a pipeline', 'printf "b\\na\\n" | sort', 'a\nb'],
        ['process substitution', 'cat <(echo a) <(echo b)', 'a\nb'],
        ['return at top level', 'echo a; return 0; echo b', 'a'],
        ['unicode', 'echo "żółć 漢字 🎉"', 'żółć 漢字 🎉'],
        ['a subshell that exits', '(exit 0); echo exit', 'exit'],
      ])('%s', async (_name, command, output) => {
        const { call, run } = await open();
        const result = await call({ command });
        expect(textOf(result)).toBe(output);
        expect(result.structuredContent).toMatchObject({ state: 'ended', exitCode: 0 });
        expect(await run('echo next')).toBe('next');
      });

      test.each([
        ['an open double quote', 'echo "abc'],
        ['an open single quote', "echo 'abc"],
        ['an open bracket', 'if true; then echo a'],
        ['an open parenthesis', '(echo a'],
        ['a stray word', 'fi'],
        ['a leading operator', '&& echo a'],
        ['an open quote on a later line', 'echo first\necho "abc'],
      ])('%s is an error at once, and the shell lives', async (_name, command) => {
        const { call, run } = await open();
        await run('kept=1');
        const result = await call({ command });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toMatch(/syntax error|unexpected EOF/);
        expect(result.structuredContent).toMatchObject({ state: 'ended' });
        expect(await run('echo $kept')).toBe('1');
      });

      test('200 KB on one line', async () => {
        const { call } = await open();
        const long = 'x'.repeat(200_000);
        const result = await call({ command: `word=${long}; echo \${#word}` });
        expect(textOf(result)).toBe('200000');
      });

      test('an unclosed heredoc runs with a warning', async () => {
        const { call } = await open();
        expect(textOf(await call({ command: 'cat <<EOF\na' }))).toMatch(/warning.*\na$/);
      });

      test('a NUL in the command is refused with a sentence', async () => {
        const { call } = await open();
        const result = await call({ command: 'echo a\0b' });
        expect(result.isError).toBe(true);
        expect(textOf(result)).toContain('NUL');
      });

      test('a job started with & does not hold the call', async () => {
        const { call, run } = await open();
        const result = await call({ command: 'sleep 300 &' });
        expect(result.structuredContent).toMatchObject({ state: 'ended', exitCode: 0 });
        expect(await run('kill %1; wait %1 2>/dev/null; echo $?')).toContain('143');
      });

      test('what a background job writes between two calls is shown, apart from the next output', async () => {
        const { call, run, workspace } = await open();
        await run('{ while [ ! -e go ]; do sleep 0.01; done; echo from the job; touch done; } &');
        await run('set +m');
        writeFileSync(`${workspace}/go`, '');
        await waitFor(() => existsSync(`${workspace}/done`));
        const result = await call({ command: 'echo mine' });
        expect(result.content.at(-1)).toEqual({ type: 'text', text: 'mine' });
        expect(textOf(result)).toContain('from the job');
      });
    });

    describe('the shell may end', () => {
      test('exit 3 reports code 3, and a fresh shell goes on in the same directory', async () => {
        const { call, run, workspace } = await open();
        await run('mkdir sub; gone=1');
        const result = await call({ command: 'cd sub; echo bye; exit 3' });
        expect(result).toMatchObject({
          isError: true,
          content: [{ type: 'text', text: 'bye' }],
          structuredContent: { state: 'shell-ended', exitCode: 3, cwd: `${workspace}/sub` },
        });
        expect(result.system).toContain('fresh');
        expect(await run('pwd; echo "[$gone]"')).toBe(`${workspace}/sub\n[]`);
      });

      test.each([
        ['set -e with a failure', 'set -e; echo a; false; echo b', 'a', 1],
        ['exec of a program', 'exec echo a', 'a', 0],
        ['a kill of itself', 'echo a; kill -9 $$', 'a', 137],
        ['the word exit printed before it', 'echo exit; exit 5', 'exit', 5],
      ])('%s', async (_name, command, output, exitCode) => {
        const { call, run } = await open();
        const result = await call({ command });
        expect(textOf(result)).toBe(output);
        expect(result.structuredContent).toMatchObject({ state: 'shell-ended', exitCode });
        expect(await run('echo next')).toBe('next');
      });

      test('the end of its input: the next command runs in a fresh one all the same', async () => {
        const { call } = await open();
        expect(textOf(await call({ command: 'echo a; exec </dev/null' }))).toBe('a');
        expect((await call({ command: 'echo next' })).content.at(-1)).toEqual({ type: 'text', text: 'next' });
      });

      test('an EXIT trap of the command runs', async () => {
        const { call } = await open();
        expect(textOf(await call({ command: 'trap "echo trapped" EXIT; exit 0' }))).toContain('trapped');
      });

      test('a directory that is gone makes it start in the workspace, and say so', async () => {
        const { call, run, workspace } = await open();
        await run('mkdir sub; cd sub');
        await call({ command: 'rmdir ../sub; exit 0' });
        const result = await call({ command: 'pwd' });
        expect(textOf(result)).toBe(workspace);
        expect(result.system).toContain('is gone');
      });
    });

    describe('what a command may change without harm', () => {
      test.each([
        ['prompts', 'PS1="$ " PS2="> " PS0="zero " PS4="four "'],
        ['PROMPT_COMMAND', 'PROMPT_COMMAND="echo mine"'],
        ['PROMPT_COMMAND as an array', 'unset PROMPT_COMMAND; PROMPT_COMMAND=("echo a" "echo b")'],
        ['a signal trap', 'trap "echo caught" INT TERM USR1'],
        ['tracing', 'set -x; set +x'],
        ['verbose mode', 'set -v'],
        ['echo of the terminal', 'stty echo'],
        ['raw mode', 'stty raw'],
        ['output translation', 'stty onlcr'],
        ['line editing', 'set -o vi'],
        ['posix mode', 'set -o posix'],
        ['job control', 'set +m'],
        ['no overwriting', 'set -C'],
        ['the field separator', 'IFS=,'],
        ['its standard output', 'exec 3>&1 >/dev/null; exec >&3'],
        ['its standard error', 'exec 2>/dev/null'],
        ['export of everything', 'set -a'],
        ['functions named like commands', 'printf() { echo shadowed; }; set() { :; }; local() { :; }'],
        ['an alias of a common word', 'alias echo="echo"; alias printf="echo aliased"'],
      ])('%s', async (_name, command) => {
        const { run, call } = await open();
        await run(command);
        const result = await call({ command: 'command printf "%s\\n" out' });
        expect(result.structuredContent).toMatchObject({ state: 'ended', exitCode: 0 });
        expect(textOf(result).split('\n').at(-1)).toBe('out');
        expect((await call({ command: '(exit 4)' })).structuredContent).toMatchObject({ exitCode: 4 });
      });

      test('its standard output for good: the end is still reported', async () => {
        const { call } = await open();
        await call({ command: 'exec >/dev/null 2>&1' });
        expect((await call({ command: 'echo unseen; (exit 6)' })).structuredContent).toMatchObject({ exitCode: 6 });
      });

      test('marks of every kind are output like any other', async () => {
        const { call, run } = await open();
        const forged = String.raw`for kind in A B C D E P X; do
      printf "\033]633;$kind;0\007\033]133;$kind;0\007\033]633;00000000000000000000000000000000;$kind;1;0;/tmp\007"
    done; echo '<<exit>>'; declare -f; set; printf '\033]633;\007'; echo last`;
        const result = await call({ command: forged });
        expect(result.structuredContent).toMatchObject({ state: 'ended', exitCode: 0 });
        expect(textOf(result)).toMatch(/<<exit>>[^]*\nlast$/);
        expect((await call({ command: `${forged}; (exit 9)` })).structuredContent).toMatchObject({ exitCode: 9 });
        expect(await run('echo next')).toBe('next');
      });
    });
  });

test('a shell that somebody killed is noticed and replaced in the same directory', async () => {
  const { call, run, workspace } = await openShellBench();
  const pid = Number(await run('mkdir sub; cd sub; echo $$'));
  process.kill(pid, 'SIGKILL');
  await waitFor(() => processIdentity(pid) === undefined);
  const result = await call({ command: 'pwd' });
  expect(textOf(result)).toBe(`${workspace}/sub`);
  expect(result.system).toContain('fresh');
});
