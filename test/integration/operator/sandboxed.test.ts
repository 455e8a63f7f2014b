import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ShellSandbox } from '../../../src-shared/index.ts';
import { createLocalOperator, type Operator } from '../../../src-main/operator/index.ts';
import { workerPolicy } from '../../../src-main/operator/sandboxed/policy.ts';
import { isRunning, processIdentity } from '../../../src-main/platform/index.ts';
import { createSandbox } from '../../../src-main/sandbox/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { buildFileWorker, sandboxedOperators, type SandboxedSetup } from '../../fixtures/operator/operators.ts';
import { childrenOf } from '../../fixtures/processes.ts';
import { openShellBench, sandboxed } from '../../fixtures/shell.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

const SWAPPER = fileURLToPath(new URL('../../fixtures/operator/swap-door.ts', import.meta.url));
const MEGABYTE = 1024 * 1024;

interface Bench {
  operator: Operator;
  workspace: string;
  outside: string;
  at: (name: string) => string;
}

async function open(setup: SandboxedSetup = {}): Promise<Bench> {
  const [workspace, outside] = [temporaryFolder(), temporaryFolder()];
  const operators = await sandboxedOperators(setup);
  const operator = await operators.confine(await createLocalOperator({ workspace }));
  return { operator, workspace, outside, at: (name) => path.join(workspace, name) };
}

const bytes = (content: string): Buffer => Buffer.from(content);

/** The sandboxes that this process has started and that still run. */
const sandboxes = (): string[] => childrenOf(process.pid, 'bwrap').flatMap((pid) => processIdentity(pid) ?? []);

describe.skipIf(!hasBubblewrap)('what a sandboxed operator writes (needs bubblewrap)', () => {
  it('never lands outside, however fast a folder and a link are swapped while it writes', async () => {
    const { operator, workspace, outside, at } = await open();
    mkdirSync(at('door'));
    symlinkSync(outside, at('link'));
    writeFileSync(path.join(outside, 'file'), 'as it was');
    const swapper = spawn(process.execPath, [SWAPPER, workspace, '30000'], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void swapper.kill('SIGKILL'));
    const ended = once(swapper, 'exit');
    await once(swapper.stdout, 'data');
    const seen = { written: 0, outside: 0, failed: 0 };
    for (let round = 0; round < 200; round += 1) {
      const location = await operator.locate('door/file').catch(() => undefined);
      if (location?.inside !== true) seen.outside += 1;
      const wanted = round % 2 === 0 ? at('door/file') : (location?.real ?? at('door/file'));
      await operator.files.write(wanted, bytes(`round ${round}`)).then(
        () => (seen.written += 1),
        () => (seen.failed += 1),
      );
    }
    swapper.kill('SIGKILL');
    await ended;
    expect(readFileSync(path.join(outside, 'file'), 'utf8')).toBe('as it was');
    expect(readdirSync(outside)).toEqual(['file']);
    // Both were really there while it wrote.
    expect(seen.written).toBeGreaterThan(0);
    expect(seen.outside + seen.failed).toBeGreaterThan(0);
  });

  it('is refused outside, by whatever way a path gets there', async () => {
    const { operator, workspace, outside, at } = await open();
    const secret = path.join(outside, 'secret');
    writeFileSync(secret, 'SECRET');
    mkdirSync(at('inner'));
    symlinkSync(outside, at('door'));
    symlinkSync(secret, at('dangling there'));
    symlinkSync('/usr/bin/env', at('program'));
    const { files } = operator;
    for (const way of [
      secret,
      `${workspace}/../${path.basename(outside)}/secret`,
      `${workspace}/inner/../../x`,
      `${workspace}-beside`,
      at('door/secret'),
      `${workspace}/door/../secret`,
      at('dangling there'),
      at('program'),
      '/proc/self/root/etc/passwd',
      'relative',
    ]) {
      await expect(files.write(way, bytes('x')), way).rejects.toMatchObject({ code: 'refused' });
      await expect(files.read(way), way).rejects.toMatchObject({ code: 'refused' });
      await expect(files.holds(way, bytes('SECRET')), way).rejects.toMatchObject({ code: 'refused' });
    }
    await expect(files.makeLink(at('door/new'), bytes('x'))).rejects.toMatchObject({ code: 'refused' });
    await expect(files.makeFolder(at('door/new'))).rejects.toMatchObject({ code: 'refused' });
    await expect(files.remove(at('door/secret'))).rejects.toMatchObject({ code: 'refused' });
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(secret, 'utf8')).toBe('SECRET');
  });

  it('says why, and what to do', async () => {
    const { operator, outside } = await open();
    await expect(operator.files.read(path.join(outside, 'file'))).rejects.toMatchObject({
      message: expect.stringMatching(/outside of the workspace.*"shell\.sandbox" is "workspace-write"/),
      hint: expect.stringContaining('the yes of the person'),
    });
  });

  it('leaves alone what programs outside obey, also through a link', async () => {
    const { operator, at } = await open();
    mkdirSync(at('.git/hooks'), { recursive: true });
    writeFileSync(at('.git/config'), 'as it was');
    symlinkSync('.git/hooks', at('way'));
    for (const name of ['.git/config', '.git/hooks/pre-commit', 'way/pre-commit', '.vscode/tasks.json']) {
      await expect(operator.files.write(at(name), bytes('x')), name).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringContaining('stays as it is'),
      });
    }
    await operator.files.write(at('.git/description'), bytes('mine'));
    expect(readdirSync(at('.git/hooks'))).toEqual([]);
    expect(readFileSync(at('.git/config'), 'utf8')).toBe('as it was');
  });

  it('reaches no file outside by a hard link: a command in the sandbox can make none', async () => {
    const { operator, workspace, outside, at } = await open();
    writeFileSync(path.join(outside, 'file'), 'as it was');
    const shell = await openShellBench({ workspace, settings: sandboxed });
    const said = await shell.run(`ln ${outside}/file mine; ln /usr/bin/env env`);
    expect(said).toMatch(/No such file[^]*(cross-device|not permitted)/);
    await operator.files.write(at('mine'), bytes('x'));
    expect(readFileSync(path.join(outside, 'file'), 'utf8')).toBe('as it was');
  });

  it('does not go to a folder that was put in the place of the workspace by a link', async () => {
    const { operator, workspace, outside } = await open();
    await operator.files.write(path.join(workspace, 'before'), bytes('x'));
    renameSync(workspace, `${workspace}-moved`);
    onTestFinished(() => rmSync(`${workspace}-moved`, { recursive: true }));
    symlinkSync(outside, workspace);
    await expect(operator.files.write(path.join(workspace, 'file'), bytes('x'))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('a link stands on the way'),
    });
    expect(readdirSync(outside)).toEqual([]);
  });

  it('goes to the folder that is the workspace now when it was made anew', async () => {
    const { operator, workspace, at } = await open();
    await operator.files.write(at('before'), bytes('x'));
    rmSync(workspace, { recursive: true });
    mkdirSync(workspace);
    await operator.files.write(at('after'), bytes('x'));
    expect(readdirSync(workspace)).toEqual(['after']);
  });
});

describe.skipIf(!hasBubblewrap)('the sandbox of a file worker (needs bubblewrap)', () => {
  it('shows the workspace and programs, and lets nothing but the workspace be written', async () => {
    const [workspace, home, data] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(home, 'notes'), 'NOTES');
    writeFileSync(path.join(data, 'causeway.db'), 'DATA');
    writeFileSync(path.join(workspace, 'file'), 'FILE');
    const policy = workerPolicy({
      ...{ workspace, access: 'read-write', node: process.execPath, text: '' },
      kept: { protectedEntries: [], hidden: [data] },
    });
    const script = `
      cat file /etc/shadow ${home}/notes ${data}/causeway.db
      ls -A ${home} ${data} /root /home /var /tmp
      env; cat /proc/net/dev
      for place in / /tmp /dev /dev/shm /run /run/causeway /etc /usr /proc/sys/kernel /sandbox/home; do
        touch $place/x && echo "WRITTEN $place"
      done
      touch written`;
    const sandbox = createSandbox({ searchPath: process.env['PATH'] ?? '' });
    const started = await sandbox.launch(policy, ['/bin/sh', '-c', script], workspace);
    started.control.resume();
    const [said] = await Promise.all([text(started.stdout), text(started.stderr), started.gone]);
    expect(said).toContain('FILE');
    expect(said).not.toMatch(/root:|NOTES|DATA|WRITTEN|CAUSEWAY|eth0/);
    expect(readdirSync(workspace).sort()).toEqual(['file', 'written']);
  });

  it('hides keys and the data folder in a workspace that is around them', async () => {
    const workspace = temporaryFolder();
    const [ssh, data] = [path.join(workspace, '.ssh'), path.join(workspace, 'data')];
    for (const folder of [ssh, data]) mkdirSync(folder);
    writeFileSync(path.join(ssh, 'id_ed25519'), 'KEY');
    writeFileSync(path.join(data, 'secrets.json'), 'KEY');
    const operators = await sandboxedOperators({ homes: [workspace], dataFolder: data });
    const { files } = await operators.confine(await createLocalOperator({ workspace }));
    expect(await files.list(ssh)).toEqual([]);
    expect(await files.list(data)).toEqual([]);
    await expect(files.write(path.join(ssh, 'authorized_keys'), bytes('x'))).rejects.toThrow(/could not be written/);
    expect(readdirSync(ssh)).toEqual(['id_ed25519']);
  });
});

describe.skipIf(!hasBubblewrap)('a file worker (needs bubblewrap)', () => {
  it('that is killed in the middle of a write leaves the old or the new file, and the next call works', async () => {
    const { operator, workspace, at } = await open();
    const [old, young] = [Buffer.alloc(MEGABYTE, 'old'), Buffer.alloc(150 * MEGABYTE, 'new')];
    writeFileSync(at('file'), old);
    const before = sandboxes();
    const write = operator.files.write(at('file'), young).then(
      () => undefined,
      (error: unknown) => error,
    );
    await waitFor(() => readdirSync(workspace).some((name) => name.endsWith('.causeway-tmp')), { what: 'the write' });
    for (const identity of before) process.kill(Number(identity.split(':')[0]), 'SIGKILL');
    expect(await write).toMatchObject({ code: 'io', hint: expect.stringContaining('as it was, or wholly new') });
    const { length } = readFileSync(at('file'));
    expect([old.length, young.length]).toContain(length);
    await operator.files.settle(at('file'));
    expect(readdirSync(workspace)).toEqual(['file']);
    await operator.files.write(at('file'), bytes('again'));
    expect(readFileSync(at('file'), 'utf8')).toBe('again');
  });

  it('is one for all calls of a workspace, comes again when it ended, and goes with the app', async () => {
    const before = sandboxes();
    const operators = await sandboxedOperators();
    const workspace = temporaryFolder();
    const local = await createLocalOperator({ workspace });
    const own = (): string[] => sandboxes().filter((identity) => !before.includes(identity));
    const { files } = await operators.confine(local);
    await Promise.all(['a', 'b', 'c'].map((name) => files.write(path.join(workspace, name), bytes(name))));
    await (await operators.confine(local)).files.list(workspace);
    const [first = '', ...more] = own();
    expect(more).toEqual([]);
    process.kill(Number(first.split(':')[0]), 'SIGKILL');
    await waitFor(() => !isRunning(first), { what: 'the end of the worker' });
    // What the killed one was just about to answer may still come.
    const again = async (): Promise<unknown> => {
      const listed = await files.list(workspace).catch(() => undefined);
      return own().length === 1 ? listed : undefined;
    };
    expect(await waitFor(again)).toHaveLength(3);
    await operators[Symbol.asyncDispose]();
    expect(own()).toEqual([]);
    await expect(files.list(workspace)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('is ended when it has had nothing to do for long, and started again when it has', async () => {
    const before = sandboxes();
    const { operator, workspace } = await open({ idleMs: 20 });
    await waitFor(() => sandboxes().every((identity) => before.includes(identity)), { what: 'the end of the worker' });
    expect(await operator.files.list(workspace)).toEqual([]);
  });

  it('ends calls that wait when the app ends', async () => {
    const workspace = temporaryFolder();
    const operators = await sandboxedOperators();
    const { files } = await operators.confine(await createLocalOperator({ workspace }));
    const write = files.write(path.join(workspace, 'file'), Buffer.alloc(100 * MEGABYTE));
    const outcome = write.then(
      () => 'written',
      (error: unknown) => error,
    );
    await operators[Symbol.asyncDispose]();
    expect(await outcome).toMatchObject({ code: expect.stringMatching(/^(io|cancelled)$/) });
  });

  it('ends with the program that started it, even when that is killed', async () => {
    const source = (file: string): string => JSON.stringify(path.resolve('src-main', file));
    const workspace = temporaryFolder();
    const script = `
      const { createLocalOperator, createSandboxedOperators } = await import(${source('operator/index.ts')});
      const { createSandbox } = await import(${source('sandbox/index.ts')});
      const searchPath = process.env.PATH;
      const operators = createSandboxedOperators({
        sandbox: createSandbox({ searchPath }), policy: () => 'workspace-write', searchPath,
        kept: { protectedEntries: [], hidden: [] }, nodePath: process.execPath,
        workerPath: ${JSON.stringify(await buildFileWorker())},
      });
      const workspace = ${JSON.stringify(workspace)};
      await operators.confine(await createLocalOperator({ workspace }));
      process.stdout.write('up');
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    await once(parent.stdout, 'data');
    const [outer = 0] = childrenOf(parent.pid ?? 0, 'bwrap');
    const [inner = 0] = childrenOf(outer);
    const identities = [outer, inner, ...childrenOf(inner)].flatMap((pid) => processIdentity(pid) ?? []);
    expect(identities).toHaveLength(3);
    parent.kill('SIGKILL');
    await waitFor(() => identities.every((one) => !isRunning(one)), { what: 'the end of the worker' });
  });

  it('moves a hundred megabytes there and back, and compares them, without taking its time', async () => {
    const { operator, at } = await open();
    const large = Buffer.alloc(100 * MEGABYTE, 'An ordinary line of text, as long as lines are.\n');
    const startedAt = performance.now();
    await operator.files.write(at('large'), [large.subarray(0, 1000), large.subarray(1000)]);
    expect(await operator.files.holds(at('large'), large)).toBe(true);
    const back = Buffer.from(await operator.files.read(at('large')));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(back.equals(large)).toBe(true);
    large[99 * MEGABYTE] = 0;
    expect(await operator.files.holds(at('large'), large)).toBe(false);
  });
});

describe('which operator edits files', () => {
  it.skipIf(!hasBubblewrap)('is as the setting says from the next call on (needs bubblewrap)', async () => {
    let policy: ShellSandbox = 'off';
    const workspace = temporaryFolder();
    const file = path.join(workspace, 'file');
    const local = await createLocalOperator({ workspace });
    const { confine } = await sandboxedOperators({ policy: () => policy });
    expect(await confine(local)).toBe(local);
    policy = 'workspace-write';
    expect((await confine(local)).kind).toBe('sandboxed');
    await (await confine(local)).files.write(file, bytes('x'));
    policy = 'read-only';
    const { files } = await confine(local);
    expect(String(await files.read(file))).toBe('x');
    await expect(files.write(file, bytes('y'))).rejects.toMatchObject({
      code: 'refused',
      message: `${file} cannot be changed: the setting "shell.sandbox" is "read-only".`,
      hint: expect.stringContaining('"workspace-write"'),
    });
    await files.settle(file);
    policy = 'off';
    expect(await confine(local)).toBe(local);
  });

  it.each([
    ['bubblewrap', { searchPath: '/nowhere' }, /bubblewrap is not installed/],
    ['Node', { nodePath: '/nowhere/node' }, /The program \/nowhere\/node.* is not there/],
  ])('is none where the sandbox that was asked for lacks %s', async (_what, setup, why) => {
    const operators = await sandboxedOperators(setup);
    const refusal = operators.confine(await createLocalOperator({ workspace: temporaryFolder() }));
    await expect(refusal).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(why),
      hint: expect.stringContaining('set "shell.sandbox" to "off"'),
    });
    await expect(refusal).rejects.toThrow(/Files must be edited in a sandbox/);
  });
});

describe.skipIf(!hasBubblewrap)('a path outside that the person allowed (needs bubblewrap)', () => {
  async function openDoor(policy: ShellSandbox = 'workspace-write') {
    const [workspace, outside] = [temporaryFolder(), temporaryFolder()];
    const allowed = path.join(outside, 'allowed');
    const operators = await sandboxedOperators({ policy: () => policy });
    const { files } = await operators.confine(await createLocalOperator({ workspace }), allowed);
    return { files, workspace, outside, allowed };
  }

  it('is worked on for that call, and nothing beside it', async () => {
    const { files, workspace, outside, allowed } = await openDoor();
    await files.write(allowed, bytes('x'));
    expect(String(await files.read(allowed))).toBe('x');
    await expect(files.write(path.join(outside, 'other'), bytes('x'))).rejects.toMatchObject({ code: 'refused' });
    await files.write(path.join(workspace, 'file'), bytes('x'));
    expect(readdirSync(outside)).toEqual(['allowed']);
    expect(existsSync(path.join(workspace, 'file'))).toBe(true);
  });

  it('as a folder is looked at, and nothing in it changed', async () => {
    const { files, allowed } = await openDoor();
    mkdirSync(allowed);
    writeFileSync(path.join(allowed, 'file'), 'as it was');
    expect(await files.list(allowed)).toHaveLength(1);
    expect(String(await files.read(path.join(allowed, 'file')))).toBe('as it was');
    await expect(files.write(path.join(allowed, 'file'), bytes('x'))).rejects.toMatchObject({ code: 'refused' });
  });

  it('is refused when it leads elsewhere than it did', async () => {
    const { files, outside, allowed } = await openDoor();
    symlinkSync(path.join(outside, 'elsewhere'), allowed);
    await expect(files.write(allowed, bytes('x'))).rejects.toThrow(/not what the person allowed/);
    await expect(files.read(allowed)).rejects.toThrow(/not what the person allowed/);
    expect(readdirSync(outside)).toEqual(['allowed']);
  });

  it('is not changed where nothing may be', async () => {
    const { files, allowed } = await openDoor('read-only');
    writeFileSync(allowed, 'as it was');
    expect(String(await files.read(allowed))).toBe('as it was');
    await expect(files.write(allowed, bytes('x'))).rejects.toMatchObject({ code: 'refused' });
  });
});
