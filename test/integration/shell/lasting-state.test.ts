import { mkdirSync, realpathSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openShellBench, textOf } from '../../fixtures/shell.ts';

describe('what lasts from call to call', () => {
  test('directory, variables, arrays, functions, aliases, exports and options', async () => {
    const { run, workspace } = await openShellBench();
    mkdirSync(`${workspace}/sub folder`);
    await run('cd "sub folder"; plain=1; export SHOWN=2; declare -A map=([k]=v)');
    await run('greet() { echo "hello $1"; }; alias hi="echo aliased"; shopt -s nullglob');
    expect(await run('pwd')).toBe(`${workspace}/sub folder`);
    expect(await run('echo "$plain $(printenv SHOWN) ${map[k]}"; greet you')).toBe('1 2 v\nhello you');
    expect(await run('hi; echo x*y')).toBe('aliased\n');
  });

  test('the exit code of the last command is in $?', async () => {
    const { run } = await openShellBench();
    await run('(exit 7)');
    expect(await run('echo $?')).toBe('7');
  });

  test('set -e that lasts ends the shell at the first failure, and not before', async () => {
    const { call, run } = await openShellBench();
    await run('set -e');
    expect(await run('echo still here')).toBe('still here');
    expect((await call({ command: 'false' })).structuredContent).toMatchObject({ state: 'shell-ended', exitCode: 1 });
  });

  test('a shell option such as set -u outlives the command that it stops', async () => {
    const { call, run } = await openShellBench();
    await run('set -u');
    const stopped = await call({ command: 'echo $undefined_here; echo not reached' });
    expect(stopped).toMatchObject({ isError: true, structuredContent: { exitCode: 1 } });
    expect(textOf(stopped)).not.toContain('not reached');
    expect(await run('echo $-')).toContain('u');
  });
});

describe('what a result says', () => {
  test('exit code, directory and duration; nothing more when all went well', async () => {
    const { call, workspace } = await openShellBench();
    const result = await call({ command: 'echo hello' });
    expect(result).toEqual({
      content: [{ type: 'text', text: 'hello' }],
      isError: false,
      structuredContent: {
        state: 'ended',
        exitCode: 0,
        cwd: workspace,
        durationMs: expect.any(Number),
        sandbox: { policy: 'off', network: 'on' },
      },
    });
  });

  test('a code other than 0 is an error that keeps the output', async () => {
    const { call } = await openShellBench();
    const result = await call({ command: 'echo before; ls /nowhere; (exit 3)' });
    expect(result).toMatchObject({ isError: true, structuredContent: { exitCode: 3 }, system: 'Exit code 3.' });
    expect(textOf(result)).toMatch(/^before\n.*nowhere/);
  });

  test('a new directory is named, also one with odd characters', async () => {
    const { call, workspace } = await openShellBench();
    const odd = `${workspace}/a;b %25 'q'\n\u0007é`;
    mkdirSync(odd);
    const result = await call({ command: `cd "$(printf '%s' 'a;b %25 '"'q'"; printf '\\n\\007é')"` });
    expect(result.structuredContent).toMatchObject({ cwd: realpathSync(odd) });
    expect(result.system).toBe(`The directory is now ${odd}.`);
  });
});

describe('environment', () => {
  test('pagers and editors are quiet, the terminal is one', async () => {
    const { run } = await openShellBench();
    expect(await run('echo $PAGER $GIT_TERMINAL_PROMPT $EDITOR $TERM; test -t 0 -a -t 1 && echo tty')).toBe(
      'cat 0 true xterm-256color\ntty',
    );
  });

  test("the person's variables are there, Causeway's own are not", async () => {
    const { run } = await openShellBench({
      env: {
        PATH: `/checkout/node_modules/.bin:${process.env['PATH']}`,
        TERM: 'xterm',
        HOME: '/',
        MINE: 'kept',
        npm_lifecycle_event: 'x',
        NODE_OPTIONS: '--no-warnings',
      },
    });
    expect(await run('echo "$MINE|$npm_lifecycle_event|$NODE_OPTIONS"; echo $PATH')).toMatch(
      /^kept\|\|\n(?!\/checkout)/,
    );
  });

  test('no history is kept', async () => {
    const { run } = await openShellBench();
    await run('echo first');
    expect(await run('history; echo "[$HISTFILE]"')).toBe('[]');
  });
});
