import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { editView, sessionSummary, toolDefinition, toolResult } from '../../../src-shared/index.ts';
import { CLI, commandLine, type CommandLine } from '../../fixtures/cli.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

const json = JSON.stringify;

function editCall(line: CommandLine, input: object): ReturnType<CommandLine['run']> {
  return line.run('call', 'str_replace_editor', json(input));
}

describe('causeway call', () => {
  it('prints what a command wrote and nothing else', async () => {
    const { code, stdout, stderr } = await commandLine().run('call', 'bash', json({ command: 'echo one; echo two' }));
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'one\ntwo\n', stderr: '' });
  });

  it('prints nothing for a command that wrote nothing', async () => {
    const { code, stdout, stderr } = await commandLine().run('call', 'bash', json({ command: 'true' }));
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('runs in the workspace that --workspace names', async () => {
    const elsewhere = commandLine();
    const { stdout } = await commandLine().run(
      'call',
      'bash',
      json({ command: 'pwd' }),
      '--workspace',
      elsewhere.workspace,
    );
    expect(stdout.trim()).toBe(elsewhere.workspace);
  });

  it.skipIf(!existsSync('/dev/full'))('fails when the answer can not be written (needs /dev/full)', async () => {
    const script = `"$0" "$1" tools >/dev/full; echo $?`;
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', script, process.execPath, CLI], {
      env: { ...process.env, CAUSEWAY_HOME: temporaryFolder() },
    });
    expect(stdout).toBe('1\n');
    expect(stderr).toMatch(/^The answer could not be written whole: .+Make room, or write it elsewhere\.\n$/);
  });

  it.skipIf(!hasBubblewrap)(
    'shows what a command wrote, and records it, also when the whole does not fit on the disk (needs bubblewrap)',
    async () => {
      const size = String(2 * 1024 * 1024);
      const disk = [
        '--dev-bind',
        '/',
        '/',
        '--size',
        size,
        '--tmpfs',
        '/mnt',
        '--setenv',
        'CAUSEWAY_HOME',
        '/mnt/home',
      ];
      const command = json({ command: 'seq 1 1000000' });
      const { stdout, stderr } = await promisify(execFile)(
        'bwrap',
        [...disk, process.execPath, CLI, 'call', 'bash', command, '--workspace', temporaryFolder()],
        { encoding: 'utf8' },
      );
      expect(stderr).toBe('');
      expect(stdout).toMatch(
        /^1\n2\n[^]+not all of them kept: the disk with the data folder is full\.[^]+\n1000000\n$/,
      );
    },
  );

  it('gives the whole result as JSON with --json', async () => {
    const { stdout } = await commandLine().run('call', 'bash', json({ command: 'echo hi' }), '--json');
    expect(toolResult.parse(JSON.parse(stdout))).toMatchObject({ isError: false, structuredContent: { exitCode: 0 } });
  });

  it('says that a damaged database was moved aside, and goes on', async () => {
    const line = commandLine();
    writeFileSync(path.join(line.home, 'causeway.db'), 'no database '.repeat(1000));
    const { code, stdout, stderr } = await line.run('call', 'bash', json({ command: 'echo hi' }));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'hi\n' });
    const [, moved = ''] = /It was moved to (\S+) and a new one was started/.exec(stderr) ?? [];
    expect(stderr).toContain('The database was damaged (file is not a database).');
    expect(stderr).toContain(`sqlite3 '${moved}' .dump`);
    expect(existsSync(moved)).toBe(true);
  });

  it('says that a database is gone or without a byte, where there was one', async () => {
    const line = commandLine();
    const file = path.join(line.home, 'causeway.db');
    const run = () => line.run('call', 'bash', json({ command: 'echo hi >>file' }));
    expect((await run()).stderr).toBe('');
    truncateSync(file, 0);
    expect((await run()).stderr).toContain(`The database ${file} was empty, though it had been used before`);
    expect((await run()).stderr).toBe('');
    rmSync(file);
    expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining(`${file} was not there, though`) });
  });

  it('runs Python', async () => {
    const { code, stdout } = await commandLine().run('call', 'python_execute', json({ code: 'print(6 * 7)' }));
    expect(code).toBe(0);
    expect(stdout).toContain('42');
  });

  it('ends with exit code 1 when the result is an error, and says so on stderr', async () => {
    const { code, stdout, stderr } = await commandLine().run(
      'call',
      'str_replace_editor',
      json({ command: 'view', path: 'no' }),
    );
    expect(code).toBe(1);
    expect(stdout).not.toBe('');
    expect(stderr).toContain('The tool "str_replace_editor" failed');
  });

  it('names the nearest tools for one that does not exist', async () => {
    const { code, stderr } = await commandLine().run('call', 'bsh', '{}');
    expect(code).toBe(1);
    expect(stderr).toContain('Did you mean "bash"');
  });

  it('refuses what would ask, naming the setting, and does it with --yes', async () => {
    const line = commandLine();
    const input = json({ command: 'create', path: path.join(line.home, 'outside.txt'), file_text: 'x' });
    const refused = await line.run('call', 'str_replace_editor', input);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/--yes.*approvals\.mode/);
    expect(existsSync(path.join(line.home, 'outside.txt'))).toBe(false);
    const { code } = await line.run('call', 'str_replace_editor', input, '--yes');
    expect(code).toBe(0);
    expect(readFileSync(path.join(line.home, 'outside.txt'), 'utf8')).toBe('x');
  });

  it('ends the command and itself on SIGINT', async () => {
    const line = commandLine();
    const pidFile = path.join(line.workspace, 'pid');
    const { child, finished } = line.start(
      'call',
      'bash',
      json({ command: 'echo $$ > pid.tmp; mv pid.tmp pid; sleep 600' }),
    );
    await waitFor(() => existsSync(pidFile), { what: pidFile });
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  it.skipIf(process.platform === 'win32')('ends in order and says so after a fault of its own', async () => {
    const script = 'process.on("SIGUSR2", () => { throw new Error("boom") })';
    const line = commandLine({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` });
    const marker = path.join(line.workspace, 'started');
    const { child, finished } = line.start('call', 'bash', json({ command: `touch ${marker}; sleep 86421` }));
    await waitFor(() => existsSync(marker));
    child.kill('SIGUSR2');
    const { code, stderr } = await finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Causeway met a fault of its own and had to end: boom\. Start it again; .+\n$/);
    expect(commandLinesWith('sleep 86421')).toEqual([]);
  });

  it('ends quietly when nobody reads its output any more', async () => {
    const line = commandLine();
    const { child, finished } = line.start('tools', '--json');
    child.stdout.destroy();
    const { code, stderr } = await finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('edits, history and sessions', () => {
  it('takes back what a command did, also one that kill -9 cut off', async () => {
    const line = commandLine();
    const file = path.join(line.workspace, 'a.txt');
    writeFileSync(file, 'old\n');
    await line.run('call', 'bash', json({ command: 'echo new >>a.txt; echo made >b.txt' }));
    expect((await line.run('history', 'list')).stdout).toMatch(/create.*b\.txt\n.*modify.*a\.txt/);
    const { child, finished } = line.start('call', 'bash', json({ command: 'rm a.txt; touch go; sleep 300' }));
    await waitFor(() => existsSync(path.join(line.workspace, 'go')));
    child.kill('SIGKILL');
    await finished;
    for (let edit = 0; edit < 4; edit += 1) expect((await line.run('history', 'undo')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('old\n');
    expect(existsSync(path.join(line.workspace, 'b.txt')) || existsSync(path.join(line.workspace, 'go'))).toBe(false);
  });

  it('gives the old bytes back after kill -9 and a new start, by undo_edit', async () => {
    const line = commandLine();
    const file = path.join(line.workspace, 'a.txt');
    const old = Buffer.from('\ufeffone\r\n\ttwo, no line break at the end');
    writeFileSync(file, old);
    await killAfterEdit(line, file);
    expect(readFileSync(file, 'utf8')).toContain('THREE');
    const { code } = await editCall(line, { command: 'undo_edit', path: file });
    expect(code).toBe(0);
    expect(readFileSync(file)).toEqual(old);
  });

  it('takes the newest edit back and does it again by number', async () => {
    const line = commandLine();
    const file = path.join(line.workspace, 'b.txt');
    await editCall(line, { command: 'create', path: file, file_text: 'one\n' });
    await editCall(line, { command: 'str_replace', path: file, old_str: 'one', new_str: 'two' });
    expect((await line.run('history', 'undo')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('one\n');
    const listed = await line.run('history', 'list', '--json', '--path', file);
    const edits = editView.array().parse(JSON.parse(listed.stdout));
    expect(edits.map(({ kind, state }) => [kind, state])).toEqual([
      ['undo', 'applied'],
      ['modify', 'undone'],
      ['create', 'applied'],
    ]);
    expect((await line.run('history', 'redo', String(edits[1]?.id))).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('two\n');
    const shown = await line.run('history', 'show', String(edits[1]?.id));
    expect(shown.stdout).toContain('-one\n+two');
  });

  it('does not take back what was changed since, and says why', async () => {
    const line = commandLine();
    const file = path.join(line.workspace, 'c.txt');
    await editCall(line, { command: 'create', path: file, file_text: 'mine\n' });
    writeFileSync(file, 'theirs\n');
    const { code, stderr } = await line.run('history', 'undo', '--path', file);
    expect(code).toBe(1);
    expect(stderr).toContain('was changed since');
    expect(readFileSync(file, 'utf8')).toBe('theirs\n');
  });

  it('keeps calls in a session that can be listed, shown and exported', async () => {
    const line = commandLine();
    await line.run('call', 'bash', json({ command: 'echo kept' }));
    const listed = await line.run('sessions', 'list', '--json');
    const [session] = sessionSummary.array().parse(JSON.parse(listed.stdout));
    expect(session).toMatchObject({ workspace: line.workspace, origin: 'terminal' });
    expect((await line.run('sessions', 'show', session?.id.slice(0, 8) ?? '')).stdout).toContain('echo kept');
    const exported = await line.run('sessions', 'export', session?.id ?? '');
    const log: unknown = JSON.parse(exported.stdout);
    expect(log).toMatchObject({ session, events: [{ type: 'tool.started' }, {}, { type: 'tool.ended' }] });
  });

  it('lists the built-in tools with their schemas', async () => {
    const { stdout } = await commandLine().run('tools', '--json');
    const names = toolDefinition
      .array()
      .parse(JSON.parse(stdout))
      .map((tool) => tool.name);
    expect(names).toEqual(
      expect.arrayContaining(['bash', 'str_replace_editor', 'python_execute', 'ask_human', 'terminate']),
    );
  });
});

/** Lets an edit through the MCP server, then ends the program without warning. */
async function killAfterEdit(line: CommandLine, file: string): Promise<void> {
  const { child, finished } = line.start('mcp');
  const replies = child.stdout[Symbol.asyncIterator]();
  async function request(id: number, method: string, params: object): Promise<void> {
    child.stdin.write(`${json({ jsonrpc: '2.0', id, method, params })}\n`);
    for (let text = ''; !text.includes(`"id":${id}`);) text += String((await replies.next()).value);
  }
  const clientInfo = { name: 'test', version: '1' };
  await request(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write(`${json({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const edit = { command: 'str_replace', path: file, old_str: 'two', new_str: 'THREE' };
  await request(2, 'tools/call', { name: 'str_replace_editor', arguments: edit });
  child.kill('SIGKILL');
  expect((await finished).signal).toBe('SIGKILL');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
