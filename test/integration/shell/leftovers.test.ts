import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFamilyMark, endFamily, FAMILY_VARIABLE, processIdentity } from '../../../src-main/platform/index.ts';
import { openShellBench } from '../../fixtures/shell.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** Starts what is hard to end, and gives the process ids. */
const STUBBORN = `
trap '' HUP
nohup sleep 310 >/dev/null 2>&1 & echo $! >>pids
setsid sh -c 'echo $$ >>pids; exec sleep 311' &
( trap '' INT TERM HUP; echo $BASHPID >>pids; while :; do sleep 0.1; done ) &
until [ $(wc -l <pids) = 3 ]; do :; done; echo $$ >>pids; cat pids`;

function runningOf(pids: readonly number[]): number[] {
  return pids.filter((pid) => processIdentity(pid) !== undefined);
}

describe('nothing is left', () => {
  test('of shells, jobs, daemons, nor of their folders when the tool is closed', async () => {
    const { run, call, tool, runDir } = await openShellBench();
    const pids = (await run(STUBBORN)).match(/^\d+$/gm)?.map(Number) ?? [];
    await call({ command: 'sleep 312', background: true });
    await call({ command: 'sleep 313', timeout: 0.1 });
    expect(runningOf(pids)).toHaveLength(4);
    await tool[Symbol.asyncDispose]();
    expect(runningOf(pids)).toEqual([]);
    expect(readdirSync(runDir)).toEqual([]);
  });

  test('of one session when it is closed, while another goes on', async () => {
    const { call, tool } = await openShellBench();
    const pidOf = async (sessionId: string): Promise<number> => {
      const result = await call({ command: 'echo $$' }, { sessionId });
      return Number(result.content[0]?.type === 'text' && result.content[0].text);
    };
    const [first, second] = [await pidOf('a'), await pidOf('b')];
    await tool.closeSession('a');
    expect(runningOf([first, second])).toEqual([second]);
  });

  test('of a Causeway that was killed, once the next one has started; one that lives is left alone', async () => {
    const runDir = temporaryFolder();
    const mark = createFamilyMark();
    const left = spawn('sleep', ['314'], { detached: true, stdio: 'ignore', env: { [FAMILY_VARIABLE]: mark } });
    onTestFinished(() => endFamily({ root: undefined, mark }));
    const owner = spawn('sleep', ['315'], { stdio: 'ignore' });
    await Promise.all([once(left, 'spawn'), once(owner, 'spawn')]);
    const record = { owner: processIdentity(owner.pid ?? 0), root: processIdentity(left.pid ?? 0), mark };
    const folder = mkdtempSync(path.join(runDir, 'shell-'));
    writeFileSync(path.join(folder, 'run.json'), JSON.stringify(record));

    const whileOwnerLives = await openShellBench({ runDir });
    await whileOwnerLives.tool[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(true);

    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const next = await openShellBench({ runDir });
    await next.tool[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(false);
    expect(runningOf([left.pid ?? 0])).toEqual([]);
  });

  test('of a process number that now belongs to somebody else: it is not touched', async () => {
    const runDir = temporaryFolder();
    const other = spawn('sleep', ['316'], { stdio: 'ignore', detached: true });
    onTestFinished(() => void other.kill('SIGKILL'));
    await once(other, 'spawn');
    const folder = mkdtempSync(path.join(runDir, 'shell-'));
    const record = { owner: '999999999:1', root: `${other.pid}:1`, mark: createFamilyMark() };
    writeFileSync(path.join(folder, 'run.json'), JSON.stringify(record));
    const { tool } = await openShellBench({ runDir });
    await tool[Symbol.asyncDispose]();
    expect(existsSync(folder)).toBe(false);
    expect(runningOf([other.pid ?? 0])).toEqual([other.pid]);
  });

  test('private files are for their owner alone', async () => {
    const { run, runDir } = await openShellBench();
    await run('true');
    const [folder = ''] = readdirSync(runDir);
    const inside = path.join(runDir, folder);
    expect(statSync(inside).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(inside)) expect(statSync(path.join(inside, name)).mode & 0o077).toBe(0);
    expect(readFileSync(path.join(inside, 'command'), 'utf8')).toContain('true');
  });

  test('of the shell when it ends by itself with programs in the background', async () => {
    const { call, run, workspace } = await openShellBench();
    await run('sleep 317 & echo $! >pid; disown');
    await call({ command: 'exit 0' });
    const pid = Number(readFileSync(`${workspace}/pid`, 'utf8'));
    await waitFor(() => runningOf([pid]).length === 0);
  });
});
