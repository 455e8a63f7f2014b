import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { openShellBench, sandboxed, textOf, type ShellBench } from '../../fixtures/shell.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

type ShellSettings = Parameters<typeof sandboxed>[1];

function open(shell: ShellSettings = {}, env?: NodeJS.ProcessEnv): Promise<ShellBench> {
  return openShellBench({ settings: (defaults) => sandboxed(defaults, shell), ...(env && { env }) });
}

describe.skipIf(!hasBubblewrap)('a shell in a sandbox (needs bubblewrap)', () => {
  test('says what keeps it in, in every result', async () => {
    const { call } = await open();
    const kept = { sandbox: { policy: 'workspace-write', network: 'off' } };
    expect((await call({ command: 'true' })).structuredContent).toMatchObject(kept);
    expect((await call({ command: 'sleep 300', background: true })).structuredContent).toMatchObject(kept);
    expect((await call({ job: '1', stop: true })).structuredContent).toMatchObject(kept);
    expect((await call({ restart: true })).structuredContent).toMatchObject(kept);
  });

  test('writes to the workspace, to its own home and /tmp, and nowhere else', async () => {
    const { run, workspace } = await open();
    expect(await run('echo a >here && cat here; echo b >~/own && cat ~/own; echo c >/tmp/own && cat /tmp/own')).toBe(
      'a\nb\nc',
    );
    expect(readFileSync(`${workspace}/here`, 'utf8')).toBe('a\n');
    expect(existsSync('/tmp/own')).toBe(false);
    for (const place of ['/usr/x', '/etc/x', '/x', '/dev/x', '/proc/sys/kernel/core_pattern', '/sys/x', '/var/x']) {
      expect(await run(`echo x 2>&1 >${place} && echo written`)).not.toContain('written');
    }
  });

  test('with a read-only workspace writes nothing there', async () => {
    const { run, workspace } = await open({ sandbox: 'read-only' });
    writeFileSync(`${workspace}/here`, 'as it was');
    expect(await run('cat here; echo; echo x >here; rm here; mkdir sub; touch /tmp/own && echo temporary')).toMatch(
      /^as it was\n[^]*Read-only[^]*temporary$/,
    );
    expect(readFileSync(`${workspace}/here`, 'utf8')).toBe('as it was');
  });

  test("does not see the person's keys, other files of the machine, or Causeway's own folder", async () => {
    const home = temporaryFolder();
    const elsewhere = temporaryFolder();
    mkdirSync(`${home}/.ssh`);
    writeFileSync(`${home}/.ssh/id_ed25519`, 'KEY');
    writeFileSync(`${home}/notes.txt`, 'NOTES');
    writeFileSync(`${elsewhere}/other`, 'OTHER');
    const { run, runDir } = await open({}, { PATH: process.env['PATH'], HOME: home, TERM: 'xterm' });
    const seen = await run(
      `cat ~/.ssh/id_ed25519 ~/notes.txt ${elsewhere}/other /etc/shadow; ls -A ~ ${homedir()} ${runDir}/.. ${runDir}/*/`,
    );
    expect(seen).not.toMatch(/KEY|NOTES|OTHER|root:x|run\.json|outputs/);
  });

  test('hides keys also when the workspace is the home folder or holds it', async () => {
    const bench = await openShellBench({ settings: (defaults) => defaults });
    mkdirSync(`${bench.workspace}/me/.ssh`, { recursive: true });
    mkdirSync(`${bench.workspace}/me/.config/gh`, { recursive: true });
    writeFileSync(`${bench.workspace}/me/.ssh/id_rsa`, 'KEY');
    writeFileSync(`${bench.workspace}/me/.netrc`, 'PASSWORD');
    writeFileSync(`${bench.workspace}/me/.config/gh/hosts.yml`, 'TOKEN');
    const elsewhere = temporaryFolder();
    writeFileSync(`${elsewhere}/aws`, 'LINKED');
    symlinkSync(`${bench.workspace}/vault`, `${bench.workspace}/me/.aws`);
    mkdirSync(`${bench.workspace}/vault`);
    writeFileSync(`${bench.workspace}/vault/credentials`, 'LINKED');
    const env = { PATH: process.env['PATH'], HOME: `${bench.workspace}/me`, TERM: 'xterm' };
    const { run } = await openShellBench({ env, settings: sandboxed, workspace: bench.workspace });
    const seen = await run(
      'cd ~; cat .ssh/id_rsa .netrc .config/gh/hosts.yml .aws/credentials ../vault/credentials; echo end',
    );
    expect(seen).not.toMatch(/KEY|PASSWORD|TOKEN|LINKED/);
    expect(seen).toMatch(/end$/);
    await run('rm -rf ~/.ssh ~/.netrc; mv ~/.config/gh ~/x; echo mine >~/.netrc');
    expect(readFileSync(`${bench.workspace}/me/.netrc`, 'utf8')).toBe('PASSWORD');
    expect(readFileSync(`${bench.workspace}/me/.ssh/id_rsa`, 'utf8')).toBe('KEY');
  });

  test('has no variables with keys in them, and no way to agents', async () => {
    const { run } = await open(
      {},
      {
        ...{ PATH: process.env['PATH'], HOME: '/', TERM: 'xterm', MINE: 'kept', KEYBOARD: 'kept' },
        ...{
          OPENAI_API_KEY: 'a',
          GITHUB_TOKEN: 'b',
          AWS_SECRET_ACCESS_KEY: 'c',
          SSH_AUTH_SOCK: '/d',
          DB_PASSWORD: 'e',
        },
      },
    );
    expect(await run('echo $MINE $KEYBOARD; env | grep -cE "API_KEY|TOKEN|SECRET|SSH_AUTH|PASSWORD"')).toBe(
      'kept kept\n0',
    );
    expect(await run("tr '\\0' '\\n' </proc/1/environ | grep -cE 'API_KEY|TOKEN|SECRET|MINE'")).toBe('0');
  });

  test('reaches no network unless that is set', async () => {
    const server = createServer((_request, response) => response.end('reached'));
    await new Promise<undefined>((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
    const closed = await open();
    expect(await closed.run(ask)).not.toContain('reached');
    const opened = await open({ network: 'on' });
    expect(await opened.run(ask)).toContain('reached');
  });

  test('cannot type into its own terminal, and holds no descriptor of another one', async () => {
    const free = await openShellBench();
    await free.run('true');
    const { run } = await open();
    const inject = String.raw`
import fcntl, termios
try:
    fcntl.ioctl(0, termios.TIOCSTI, b"x")
    print("typed")
except OSError as error:
    print(error.strerror)`;
    expect(await run(`python3 -c '${inject}'`)).toBe('Operation not permitted');
    expect(await run('ls -l /proc/self/fd /proc/$$/fd /proc/1/fd | grep -cE "ptmx|socket:"')).toBe('0');
  });

  test('cannot change hooks and settings of a repository, nor move them out of the way; commits work', async () => {
    const { run, workspace } = await open();
    const free = await openShellBench({ workspace });
    await free.run(
      'git init -q . && git config user.email a@b && git config user.name me && echo keep >.git/hooks/pre-commit',
    );
    const tries = [
      'echo bad >.git/hooks/pre-commit',
      'echo bad >.git/hooks/post-checkout',
      'mv .git/hooks .git/other',
      'mv .git old && mkdir -p .git/hooks && echo bad >.git/hooks/pre-commit',
      'git config core.fsmonitor bad',
      'rm -rf .git/hooks',
    ];
    for (const attempt of tries) await run(attempt);
    expect(readFileSync(`${workspace}/.git/hooks/pre-commit`, 'utf8')).toBe('keep\n');
    expect(existsSync(`${workspace}/.git/hooks/post-checkout`)).toBe(false);
    expect(readFileSync(`${workspace}/.git/config`, 'utf8')).not.toContain('bad');
    expect(await run('echo a >file && git add file && git commit -q -m one --no-verify && git log --format=%s')).toBe(
      'one',
    );
  });

  test('leaves nothing behind, also of what made itself a daemon, when the tool is closed', async () => {
    const { call, run, tool } = await open();
    await run(`trap '' HUP; setsid nohup sleep 331.5 >/dev/null 2>&1 & (sleep 331.5 &)`);
    await call({ command: 'sleep 331.5', background: true });
    expect(commandLinesWith('sleep 331.5').length).toBeGreaterThanOrEqual(3);
    await tool[Symbol.asyncDispose]();
    expect(commandLinesWith('sleep 331.5')).toEqual([]);
  });

  test('a change of the setting holds from the next command on, and is said', async () => {
    const { call, run, change, workspace } = await openShellBench();
    await run('mkdir sub; cd sub; gone=1');
    change(sandboxed);
    const result = await call({ command: 'pwd; echo "[$gone]"' });
    expect(textOf(result)).toBe(`${workspace}/sub\n[]`);
    expect(result.system).toContain('fresh shell');
    expect(result.structuredContent).toMatchObject({ sandbox: { policy: 'workspace-write', network: 'off' } });
    expect(await run('echo x >/usr/x || echo refused')).toContain('refused');
  });

  test('a directory that only the sandbox or only the machine has is no obstacle to a fresh shell', async () => {
    const { call, change, run, workspace } = await openShellBench();
    await run('cd /var');
    change(sandboxed);
    expect(textOf(await call({ command: 'pwd' }))).toBe(workspace);
    await call({ command: 'mkdir /tmp/only-inside; cd /tmp/only-inside; exit 0' });
    expect(textOf(await call({ command: 'pwd' }))).toBe(workspace);
  });

  test('what a shell saves for a job is read without following it out of the sandbox', async () => {
    const { call, run } = await open();
    const secret = `${realpathSync(temporaryFolder())}/secret`;
    writeFileSync(secret, 'echo STOLEN\n');
    await run(
      `mine=1; state=$(echo ~/../*/run/shell-*/exchange); ( cd "$state" && ln -sf ${secret} state; chmod a-w . )`,
    );
    await call({ command: 'echo "[$mine]"', background: true });
    expect(textOf(await call({ job: '1', timeout: 30 }))).not.toContain('STOLEN');
  });
});

describe('a sandbox that cannot be had', () => {
  test.each(['workspace-write', 'read-only'] as const)(
    'makes %s refuse every command, with the reason and the setting',
    async (policy) => {
      const { call, workspace } = await openShellBench({
        settings: (defaults) => sandboxed(defaults, { sandbox: policy }),
        searchPath: '/nowhere',
      });
      const refused = { code: 'refused', message: expect.stringContaining(`"shell.sandbox" is "${policy}"`) };
      await expect(call({ command: 'touch ran' })).rejects.toMatchObject(refused);
      await expect(call({ command: 'touch ran', background: true })).rejects.toMatchObject(refused);
      await expect(call({ restart: true })).rejects.toMatchObject({ hint: expect.stringContaining('"off"') });
      expect(existsSync(`${workspace}/ran`)).toBe(false);
    },
  );

  test.skipIf(!hasBubblewrap)(
    'for this workspace: the system folder is refused as well (needs bubblewrap)',
    async () => {
      const { call } = await openShellBench({ settings: sandboxed, workspace: '/usr' });
      await expect(call({ command: 'true' })).rejects.toMatchObject({ code: 'refused' });
    },
  );
});
