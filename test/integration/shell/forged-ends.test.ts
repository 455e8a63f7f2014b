import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openShellBench, textOf } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** Ends only once a file is there; whoever believes that it ended before is wrong. */
const GOES_ON = 'touch forged; until [ -e go ]; do sleep 0.01; done; echo truly; (exit 5)';
const NONCE = String.raw`nonce=$(declare -f __causeway_mark | grep -oE '[0-9a-f]{32}')`;

describe('a command that knows the functions cannot fake its end', () => {
  test.each([
    ['by calling the function that reports it', '__causeway_end $__causeway_number 0'],
    ['by calling it with a secret of its own', '__causeway_end $__causeway_number 0123456789abcdef'],
    ['by saying that the prompt is back', '__causeway_done=-1; __causeway_prompt'],
    ['by saying so from a subshell', '(__causeway_done=-1; __causeway_prompt)'],
    ['by answering a line that nobody typed', '__causeway_sync $__causeway_number 0'],
    [
      'by printing every mark with the true nonce',
      String.raw`${NONCE}; n=$__causeway_number
      for s in 0 "" $nonce; do printf '\e]633;%s;%s\a' $nonce "D;$n;$s;0;/" $nonce "P;$n;0;/" $nonce "S;$n;$s"; done`,
    ],
    [
      'from a background job',
      String.raw`${NONCE}; n=$__causeway_number; ( printf '\e]633;%s;D;%d;;0;/\a' $nonce $n >/dev/tty & )`,
    ],
    ['with the secret of the command before', '__causeway_end $__causeway_number $old'],
    [
      'by reading the history',
      'set -o history; s=$(history 1 | grep -oE "[0-9a-f]{16}"); __causeway_end $__causeway_number $s',
    ],
    ['by looking at what bash runs', '__causeway_end $__causeway_number "${BASH_COMMAND##* }"'],
  ])('%s', async (_name, forgery) => {
    const { call, run, workspace } = await openShellBench();
    // What a command can prepare: history, verbose mode, a trap that remembers the last secret it saw.
    await run(
      `set -o history; set -v; trap 'case $BASH_COMMAND in *causeway_end*) old=\${BASH_COMMAND##* };; esac' DEBUG`,
    );
    await run('true');
    const running = call({ command: `{ ${forgery}; } 2>/dev/null; ${GOES_ON}` });
    await waitFor(() => existsSync(`${workspace}/forged`));
    let ended = false;
    void running.then(() => (ended = true));
    // Longer than bash's prompt is looked for.
    await call({ command: 'sleep 0.5' }, { sessionId: 'other' });
    expect(ended).toBe(false);
    await call({ command: 'touch go' }, { sessionId: 'other' });
    const result = await running;
    expect(textOf(result)).toMatch(/truly$/);
    expect(result.structuredContent).toMatchObject({ state: 'ended', exitCode: 5, cwd: workspace });
    expect(await run('echo next')).toMatch(/next$/);
  });

  test('by taking the place of the functions', async () => {
    const { run, call } = await openShellBench();
    await run('__causeway_end() { echo replaced; }; unset -f __causeway_start; alias __causeway_end=false');
    expect((await call({ command: 'echo a; (exit 4)' })).structuredContent).toMatchObject({ exitCode: 4 });
  });

  test('by a program in the foreground that pretends to be the prompt', async () => {
    const { call, workspace } = await openShellBench();
    const command = `__causeway_done=-1; __causeway_prompt; touch forged; cat >taken`;
    const result = await call({ command, timeout: 60 });
    expect(existsSync(`${workspace}/forged`)).toBe(true);
    expect(result.structuredContent).toMatchObject({ state: 'waiting' });
    expect((await call({ input: '\u0004' })).structuredContent).toMatchObject({ state: 'ended', exitCode: 0 });
    expect(textOf(await call({ command: 'cat taken' }))).toBe('');
  });
});
