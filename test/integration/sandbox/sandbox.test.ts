import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createSandbox, type SandboxPolicy } from '../../../src-main/sandbox/index.ts';
import { findGroupPlace } from '../../../src-main/sandbox/control-groups/place.ts';
import { isRunning, processIdentity } from '../../../src-main/platform/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

const size = 1024 * 1024;

function policyFor(workspace: string, access: 'read-write' | 'read-only' = 'read-write'): SandboxPolicy {
  return {
    root: 'minimal',
    workspace: { path: workspace, access },
    protectedEntries: ['.git'],
    readable: [],
    hidden: [],
    files: { '/run/test/note': 'from the policy\n' },
    env: { PATH: '/usr/bin:/bin' },
    network: 'none',
    sizes: { temporary: size, sharedMemory: size, home: size },
  };
}

const place = await findGroupPlace();
const groupFolders =
  'reason' in place ? [] : [place.memory, place.tasks, ...(place.cpu === undefined ? [] : [place.cpu])];

/** Control groups of sandboxes that this process made. */
function groupsOf(pid: number | undefined): string[] {
  return groupFolders.flatMap((folder) => readdirSync(folder)).filter((name) => name.startsWith(`causeway-${pid}-`));
}

const sandbox = createSandbox({ searchPath: process.env['PATH'] ?? '/usr/bin' });

async function run(policy: SandboxPolicy, script: string): Promise<{ said: string; code: number | null }> {
  const started = await sandbox.launch(policy, ['/bin/sh', '-c', script], policy.workspace?.path ?? '/');
  started.control.resume();
  const [out, error, { code }] = await Promise.all([text(started.stdout), text(started.stderr), started.gone]);
  return { said: out + error, code };
}

describe.skipIf(!hasBubblewrap)('a sandbox (needs bubblewrap)', () => {
  it('says what it is made with', async () => {
    expect(await sandbox.probe()).toMatchObject({ backend: 'bubblewrap' });
  });

  it('shows the policy’s files and the workspace at its own path', async () => {
    const workspace = temporaryFolder();
    const { said } = await run(policyFor(workspace), 'cat /run/test/note; pwd; echo written > file; cat file');
    expect(said).toBe(`from the policy\n${workspace}\nwritten\n`);
    expect(readFileSync(path.join(workspace, 'file'), 'utf8')).toBe('written\n');
  });

  it('keeps a read-only workspace as it is', async () => {
    const { said } = await run(policyFor(temporaryFolder(), 'read-only'), 'touch file');
    expect(said).toContain('Read-only file system');
  });

  it('follows no link to the outside that stands where something is to be kept as it is', async () => {
    const [workspace, other] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(path.join(other, 'hooks'));
    symlinkSync(path.join('..', path.basename(other)), path.join(workspace, '.git'));
    const policy = { ...policyFor(workspace), protectedEntries: ['.git/hooks'] };
    expect((await run(policy, `ls .git/ ${other}; echo still here`)).said).toMatch(
      /still here[^]*No such file[^]*No such file/,
    );
  });

  it('leaves out a place to write to that has no size', async () => {
    const policy = { ...policyFor(temporaryFolder()), sizes: { temporary: 0, sharedMemory: 0, home: 0 } };
    const { said } = await run(
      policy,
      'for place in /tmp /dev/shm "$HOME" / ; do touch $place/x && echo written; done',
    );
    expect(said).not.toContain('written');
  });

  it('tells nothing of the host’s paths on its command line', async () => {
    const workspace = temporaryFolder();
    const { said } = await run(policyFor(workspace), 'tr "\\0" " " < /proc/1/cmdline');
    expect(said).not.toContain(workspace);
    expect(said).not.toContain('--bind');
  });

  it('gives the program’s exit code', async () => {
    expect(await run(policyFor(temporaryFolder()), 'exit 7')).toEqual({ said: '', code: 7 });
  });

  it('ends everything in it when it is killed', async () => {
    const workspace = temporaryFolder();
    const started = await sandbox.launch(
      policyFor(workspace),
      ['/bin/sh', '-c', 'trap "" TERM INT HUP; setsid sh -c "trap \\"\\" TERM; touch up; sleep 1000" & wait'],
      workspace,
    );
    await waitFor(() => readIfThere(path.join(workspace, 'up')) !== undefined, { what: 'the daemon' });
    expect(started.usage()?.processes).toBeGreaterThan(2);
    await started.kill();
    expect(started.usage()).toBeUndefined();
  });

  it('ends with the program that made it, even when that is killed', async () => {
    const workspace = temporaryFolder();
    mkdirSync(path.join(workspace, 'sub'));
    const script = `
      const { createSandbox } = await import(${JSON.stringify(path.resolve('src-main/sandbox/index.ts'))});
      const policy = ${JSON.stringify(policyFor(workspace))};
      const one = await createSandbox({ searchPath: process.env.PATH }).launch(policy, ['/bin/sleep', '1000'], '/');
      one.control.resume();
      setInterval(() => one.usage() && process.stdout.write('.'), 10);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'latin1').trim().split(' ');
    const identities = children.map((pid) => processIdentity(Number(pid))).filter((one) => one !== undefined);
    expect(identities.length).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    await waitFor(() => identities.every((one) => !isRunning(one)), { what: 'the end of the sandbox' });
  });

  describe.skipIf(groupFolders.length === 0)('with limits (needs control groups)', () => {
    const limits = { memoryBytes: 64 * size, tasks: 32 };

    it('leaves nothing in the kernel when it has ended and the program waits for that', async () => {
      const own = createSandbox({ searchPath: process.env['PATH'] ?? '' });
      const policy = { ...policyFor(temporaryFolder()), limits };
      const before = groupsOf(process.pid);
      const started = await Promise.all(
        [1, 2, 3].map(() => own.launch(policy, ['/bin/sh', '-c', 'sleep 1000 & wait'], '/')),
      );
      expect(groupsOf(process.pid).length).toBeGreaterThan(before.length);
      await Promise.all(started.map((one) => one.kill()));
      await own[Symbol.asyncDispose]();
      expect(groupsOf(process.pid)).toEqual(before);
    });

    it('is ended and cleared away by the next one when the program that made it was killed meanwhile', async () => {
      const script = `
        const { createSandbox } = await import(${JSON.stringify(path.resolve('src-main/sandbox/index.ts'))});
        const policy = ${JSON.stringify({ ...policyFor(temporaryFolder()), limits })};
        const one = await createSandbox({ searchPath: process.env.PATH }).launch(policy, ['/bin/sleep', '1000'], '/');
        one.control.resume();
        setInterval(() => one.usage() && process.stdout.write('.'), 1);`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      // As early as can be: bubblewrap is still at it, and would not end with its starter.
      await new Promise((resolve) => parent.stdout.once('data', resolve));
      const exited = new Promise((resolve) => parent.once('exit', resolve));
      parent.kill('SIGKILL');
      await exited;
      expect(groupsOf(parent.pid)).not.toEqual([]);
      await createSandbox({ searchPath: process.env['PATH'] ?? '' }).probe();
      expect(groupsOf(parent.pid)).toEqual([]);
    });
  });

  it('is made by no program of a workspace, whatever PATH says', async () => {
    const workspace = temporaryFolder();
    const ran = path.join(workspace, 'ran');
    const bin = path.join(workspace, 'node_modules', '.bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(path.join(bin, 'bwrap'), `#!/bin/sh\ntouch ${ran}\nexec /usr/bin/bwrap "$@"\n`, { mode: 0o755 });
    const search = { searchPath: `${bin}:${process.env['PATH'] ?? ''}`, workspaces: () => [workspace] };
    expect(await createSandbox(search).probe()).toMatchObject({ backend: 'bubblewrap' });
    expect(existsSync(ran)).toBe(false);
  });

  it('shows no folder of the workspace that has become a link to the outside', async () => {
    const workspace = temporaryFolder();
    symlinkSync(temporaryFolder(), path.join(workspace, '.venv'));
    const policy = { ...policyFor(workspace), readable: [path.join(workspace, '.venv')] };
    await expect(run(policy, 'true')).rejects.toThrow('a link that leads out of the workspace');
  });

  it('refuses what is not there with a reason and a fix', async () => {
    const nowhere = createSandbox({ searchPath: temporaryFolder() });
    expect(await nowhere.probe()).toMatchObject({ backend: 'none', reason: 'bubblewrap is not installed.' });
    await expect(nowhere.launch(policyFor(temporaryFolder()), ['/bin/true'], '/')).rejects.toThrow('not installed');
  });
});

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
