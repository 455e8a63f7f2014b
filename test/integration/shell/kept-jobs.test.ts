import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endFamily, createFamilyMark, processIdentity } from '../../../src-main/platform/index.ts';
import { openShellBench, sandboxed, textOf } from '../../fixtures/shell.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** The process that wrote its number there; ended with the test. */
async function pidIn(file: string): Promise<number> {
  const pid = await waitFor(() => (existsSync(file) && Number(readFileSync(file, 'utf8'))) || undefined);
  const root = processIdentity(pid);
  onTestFinished(() => endFamily({ root, mark: createFamilyMark() }));
  return pid;
}

const COUNTING =
  'echo $$ >pid; echo begun; until [ -e go ]; do sleep 0.05; done; echo "went on in $PWD with $word"; exit 7';

describe('a job that was asked to outlive Causeway', () => {
  test('goes on when the tool is closed, with its directory, exports and output', async () => {
    const { call, run, tool, workspace } = await openShellBench();
    await run('mkdir sub; cd sub; export word=exported');
    const started = await call({ command: COUNTING, background: true, keep: true });
    const log = /its output is in (\S+\.log)\./.exec(started.system ?? '')?.[1] ?? '';
    const pid = await pidIn(`${workspace}/sub/pid`);
    await tool[Symbol.asyncDispose]();
    expect(processIdentity(pid)).toBeDefined();
    const next = await openShellBench({ workspace });
    await next.run('touch sub/go');
    await waitFor(() => readFileSync(log, 'utf8').includes('went on'));
    expect(readFileSync(log, 'utf8')).toBe(`begun\nwent on in ${workspace}/sub with exported\n`);
  });

  test('is looked at, and ends, like any other', async () => {
    const { call, run, workspace } = await openShellBench();
    await call({ command: COUNTING, background: true, keep: true });
    await pidIn(`${workspace}/pid`);
    await waitFor(async () => textOf(await call({ job: '1' })).includes('begun') || undefined);
    await run('touch go');
    const ended = await call({ job: '1', timeout: 30 });
    expect(textOf(ended)).toContain('went on in');
    expect(ended.structuredContent).toMatchObject({ state: 'ended', exitCode: 7 });
  });

  test('is stopped with all that it started', async () => {
    const { call, workspace } = await openShellBench();
    await call({ command: 'sleep 300 & echo $! >pid; wait', background: true, keep: true });
    const pid = await pidIn(`${workspace}/pid`);
    await call({ job: '1', stop: true });
    expect(processIdentity(pid)).toBeUndefined();
  });

  test('has no terminal, is no foreground command, and is refused in a sandbox', async () => {
    const { call, workspace } = await openShellBench();
    await call({ command: COUNTING, background: true, keep: true });
    await pidIn(`${workspace}/pid`);
    await expect(call({ job: '1', input: 'x' })).rejects.toThrow(/no terminal/);
    await expect(call({ command: 'true', keep: true })).rejects.toThrow(/in the background/);
    const inside = await openShellBench({ settings: sandboxed });
    await expect(inside.call({ command: 'true', background: true, keep: true })).rejects.toThrow(/sandbox/);
  });
});
