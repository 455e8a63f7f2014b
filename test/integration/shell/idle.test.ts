import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary.ts';

test('an idle shell, also one with a silent job beside it, has no timer that wakes the process', async () => {
  const program = fileURLToPath(new URL('../../fixtures/operator/idle-shell.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, temporaryFolder()]);
  expect(stdout).toBe('looked\n');
});
