import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CLI, commandLine } from '../../fixtures/cli.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const COMMANDS = [
  'web',
  'run',
  'call',
  'tools',
  'servers list',
  'servers add',
  'servers remove',
  'servers test',
  'mcp',
  'history list',
  'history show',
  'history undo',
  'history redo',
  'history restore',
  'history blame',
  'history conflict',
  'history settle',
  'history prune',
  'sessions list',
  'sessions show',
  'sessions export',
  'doctor',
  'bench',
];

const BAD_USAGE = [
  ['an unknown command', ['fly']],
  ['an unknown option', ['tools', '--fast']],
  ['a missing argument', ['call']],
  ['an argument too many', ['tools', 'all']],
  ['a family without a command', ['history']],
  ['an edit that is no number', ['history', 'undo', 'first']],
  ['edits named in two ways', ['history', 'undo', '3', '--call', 'x']],
  ['an edit to go back to without a session', ['history', 'undo', '--since', '3']],
  ['a redo of nothing', ['history', 'redo']],
  ['a time that is none', ['history', 'list', '--since', 'yesterday']],
  ['a day that no calendar has', ['history', 'list', '--until', '2026-02-31']],
  ['a time that ends before it begins', ['history', 'list', '--since', '2026-12-02', '--until', '2026-12-01']],
  ['a limit of nothing', ['history', 'list', '--limit', '0']],
  ['a limit for all', ['history', 'list', '--limit', '3', '--all']],
  ['a way back to nowhere', ['history', 'restore', 'x']],
  ['a way back for nothing', ['history', 'restore', 'x', '--to', '3', '--no-files']],
  [
    'a plan for files that are left',
    ['history', 'restore', 'x', '--to', '3', '--no-files', '--conversation', '--dry-run'],
  ],
  ['a file of nobody', ['history', 'blame']],
  ['a choice that there is not', ['history', 'settle', '3', '--use', 'mine']],
  ['a conflict settled by nothing', ['history', 'settle', '3']],
  ['a conflict settled in two ways', ['history', 'settle', '3', '--use', 'before', '--text-file', 'f']],
  ['a port that is none', ['web', '--port', '70000']],
  ['input that is not JSON', ['call', 'bash', '{"command": ']],
  ['input that is not an object', ['call', 'bash', '["ls"]']],
  ['a run without a task', ['run']],
  ['a demo with a task', ['run', 'task', '--demo']],
  ['a port without HTTP', ['mcp', '--port', '8000']],
  ['a server that is neither program nor URL', ['servers', 'add', 'x', '{"cmd": 1}']],
  ['an option in the place of a server', ['servers', 'add', 'x', '--url', 'http://127.0.0.1/mcp']],
  ['an option that means nothing to the command behind it', ['--port', '8000', 'tools']],
  ['an unknown benchmark', ['bench', '--only', 'speed']],
] as const;

const EMPTY = [
  ['history', 'undo', '--session', ''],
  ['history', 'undo', '--call', ''],
  ['history', 'redo', '--run', ''],
  ['history', 'undo', '--path='],
  ['history', 'list', '--name', ''],
  ['history', 'restore', '', '--to', '0'],
  ['history', 'restore', 'x', '--to', ''],
  ['history', 'blame', ''],
  ['history', 'settle', '3', '--text-file', ''],
  ['sessions', 'show', ''],
  ['sessions', 'export', 'x', '--out', ''],
  ['servers', 'remove', ''],
  ['call', '', '{}'],
  ['call', 'bash', '{"command": "true"}', '--workspace', ''],
  ['--workspace', '', 'tools'],
];

describe('the command line', () => {
  it.each(COMMANDS)('has help for "%s" on stdout', async (command) => {
    const { code, stdout, stderr } = await commandLine().run(...command.split(' '), '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`causeway ${command}`);
    expect(stdout).toContain('--workspace');
  });

  it('lists every command in its own help', async () => {
    const { code, stdout } = await commandLine().run('--help');
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toContain(`\n  ${command.split(' ', 1)[0]} `);
  });

  it.each(BAD_USAGE)('answers %s with one sentence on stderr and exit code 2', async (_what, args) => {
    const { code, stdout, stderr } = await commandLine().run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/--help|Options:/);
  });

  it('says where broken JSON breaks', async () => {
    const { stderr } = await commandLine().run('call', 'bash', '{"command": ls}');
    expect(stderr).toContain('it breaks at position 12, before "ls}"');
  });

  it('takes a workspace also before the command', async () => {
    const { code, stderr } = await commandLine().run('--workspace', '/no/such', 'call', 'bash', '{"command": "true"}');
    expect({ code, stderr: stderr.slice(0, 22) }).toEqual({ code: 1, stderr: 'The workspace /no/such' });
  });

  it.each(EMPTY)('takes nothing empty for a value: %j', async (...args) => {
    const { code, stdout, stderr } = await commandLine().run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^The value of (--[a-z-]+|<[a-z]+>) is empty\. Try --help\.\n$/);
  });

  it('passes empty arguments on to the program of a server', async () => {
    const line = commandLine();
    await line.run('servers', 'add', 'x', process.execPath, '-e', '', '');
    const kept = readFileSync(path.join(line.home, 'mcp.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({ mcpServers: { x: { args: ['-e', '', ''] } } });
  });

  it.skipIf(process.platform === 'win32')('says so when the current folder is gone', async () => {
    const script = `mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"`;
    const child = promisify(execFile)('sh', ['-c', script, process.execPath, CLI, 'call', 'bash', '{}'], {
      cwd: temporaryFolder(),
      env: { ...process.env, CAUSEWAY_HOME: temporaryFolder() },
    });
    await expect(child).rejects.toMatchObject({
      code: 1,
      stderr: 'The current folder is not there any more. Change to another one and try again.\n',
    });
  });

  it.skipIf(!existsSync('/proc/self'))('says so when the data folder can not be made (needs /proc)', async () => {
    const { code, stderr } = await commandLine({ CAUSEWAY_HOME: '/proc/nowhere/causeway' }).run('tools');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The data folder \/proc\/nowhere\/causeway can not be made: .+\n$/);
  });

  it('says that a workspace below a file is none, and one whose links lead in a circle', async () => {
    const line = commandLine();
    writeFileSync(path.join(line.workspace, 'file'), '');
    symlinkSync('circle', path.join(line.workspace, 'circle'));
    for (const folder of ['file/below', 'circle', 'n'.repeat(300)]) {
      const { code, stderr } = await line.run('call', 'bash', '{"command": "true"}', '--workspace', folder);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The workspace .+ is not a folder\./);
    }
  });

  it('names a workspace that is not there, with what to do', async () => {
    const { code, stderr } = await commandLine().run('call', 'bash', '{"command": "true"}', '--workspace', '/no/such');
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      'The workspace /no/such is not a folder. Make it first, or name another one with --workspace.',
    );
  });
});
