import { chmodSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openShellBench } from '../../fixtures/shell.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** A stand-in for a login shell that prints noise and sets PATH. */
function loginShell(body: string): string {
  const file = `${temporaryFolder()}/login-shell`;
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

const PATH = '/usr/local/bin:/usr/bin:/bin';
/** Runs what it was given after -ilc. */
const WITH_PATH = 'echo Welcome; export PATH=/opt/of-mine/bin:/usr/bin; exec /bin/sh -c "$2"';

test("an app that no terminal started has the login shell's PATH, with its own behind", async () => {
  const { run } = await openShellBench({ env: { PATH, SHELL: loginShell(WITH_PATH) } });
  expect(await run('echo $PATH')).toBe('/opt/of-mine/bin:/usr/bin:/usr/local/bin:/bin');
});

test('a program that a terminal started has that PATH already: no shell is asked', async () => {
  const { run } = await openShellBench({ env: { PATH, TERM: 'xterm', SHELL: loginShell(WITH_PATH) } });
  expect(await run('echo $PATH')).toBe(PATH);
});

test('a login shell that never answers costs its deadline and nothing else', async () => {
  const { run } = await openShellBench({ env: { PATH, SHELL: loginShell('exec sleep 300') } });
  expect(await run('echo $PATH')).toBe(PATH);
});

test('a login shell that is missing is no obstacle', async () => {
  const { run } = await openShellBench({ env: { PATH, SHELL: '/nowhere/shell' } });
  expect(await run('echo $PATH')).toBe(PATH);
});
