import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { finding, serverView, toolDefinition } from '../../../src-shared/index.ts';
import { commandLinesWith } from '../../fixtures/processes.ts';
import { CLI, commandLine, type CommandLine } from '../../fixtures/cli.ts';
import { waitFor } from '../../fixtures/wait.ts';

const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

function newClient(): Client {
  return new Client({ name: 'test', version: '1' });
}

/** Starts the HTTP endpoint; gives what it says of itself. */
async function startHttp(line: CommandLine): Promise<{ url: string; token: string }> {
  const { child } = line.start('mcp', '--http');
  let said = '';
  child.stderr.on('data', (text: string) => (said += text));
  const [, url = '', token = ''] = await waitFor(() => /(http\S+\/mcp)\nAuthorization: Bearer (\S+)\n/.exec(said), {
    what: 'URL and token',
  });
  return { url, token };
}

describe('causeway servers', () => {
  it('attaches a server from npm, tests it, offers its tools, and forgets it', async () => {
    const line = commandLine();
    const added = await line.run('servers', 'add', 'every', '--json', 'node', '--no-warnings', EVERYTHING);
    expect(added.code).toBe(0);
    expect(serverView.parse(JSON.parse(added.stdout))).toMatchObject({
      name: 'every',
      state: 'ready',
      transport: 'stdio',
    });

    const tested = await line.run('servers', 'test', 'every', '--json');
    expect({ code: tested.code, state: serverView.parse(JSON.parse(tested.stdout)).state }).toEqual({
      code: 0,
      state: 'ready',
    });

    const tools = toolDefinition.array().parse(JSON.parse((await line.run('tools', '--json')).stdout));
    expect(tools.map(({ name }) => name)).toContain('mcp_every_echo');
    const echoed = await line.run('call', 'mcp_every_echo', '{"message": "there and back"}');
    expect(echoed).toMatchObject({ code: 0, stdout: expect.stringContaining('there and back') });

    expect((await line.run('servers', 'remove', 'every')).code).toBe(0);
    expect(JSON.parse((await line.run('servers', 'list', '--json')).stdout)).toEqual([]);
  });

  it('finds a server by the path that was right where it was typed, from anywhere', async () => {
    const line = commandLine();
    const relative = path.relative(line.workspace, EVERYTHING);
    expect((await line.run('servers', 'add', 'every', 'node', relative)).code).toBe(0);
    const elsewhere = commandLine();
    const tested = await line.run('servers', 'test', 'every', '--workspace', elsewhere.workspace);
    expect(tested.code).toBe(0);
  });

  it('keeps a server that does not start, says why, and ends with exit code 1', async () => {
    const line = commandLine();
    const added = await line.run('servers', 'add', 'broken', 'no-such-program-anywhere');
    expect(added.code).toBe(1);
    expect(added.stderr).toContain('The server "broken" is not ready');
    const [view] = serverView.array().parse(JSON.parse((await line.run('servers', 'list', '--json')).stdout));
    expect(view).toMatchObject({ name: 'broken', state: 'failed' });
    const listed = await line.run('tools');
    expect(listed.code).toBe(0);
    expect(listed.stderr).toContain('"broken"');
  });
});

describe('causeway mcp', () => {
  it('serves a client of the SDK over stdio and ends with it', async () => {
    const line = commandLine();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--workspace', line.workspace],
      env: { PATH: process.env['PATH'] ?? '', CAUSEWAY_HOME: line.home },
    });
    const client = newClient();
    await client.connect(transport);
    onTestFinished(() => client.close());
    const { pid } = transport;
    const result = await client.callTool({ name: 'bash', arguments: { command: 'pwd' } });
    expect(result.content).toEqual([{ type: 'text', text: line.workspace }]);
    await client.close();
    await waitFor(() => !isAlive(pid ?? 0), { what: 'its end' });
  });

  it('writes nothing but the protocol to stdout, and ends when stdin does', async () => {
    const { child, finished } = commandLine().start('mcp');
    child.stdin.write('not a message\n');
    child.stdin.end();
    expect(await finished).toMatchObject({ code: 0, stdout: '' });
  });

  it('makes a token once and keeps it, and lets nobody in without it', async () => {
    const line = commandLine();
    const first = await startHttp(line);
    const second = await startHttp(line);
    expect(second.token).toBe(first.token);
    expect((await fetch(first.url, { method: 'POST' })).status).toBe(401);
    const client = newClient();
    const requestInit = { headers: { Authorization: `Bearer ${first.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(first.url), { requestInit }));
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('bash');
  });

  it('ends cleanly on SIGTERM', async () => {
    const { child, finished } = commandLine().start('mcp', '--http');
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect((await finished).code).toBe(0);
  });
});

describe('causeway doctor', () => {
  it('says of everything what was found, and how to mend what is missing', async () => {
    const { code, stdout } = await commandLine().run('doctor', '--json');
    expect(code).toBe(0);
    const findings = finding.array().parse(JSON.parse(stdout));
    const named = findings.map(({ name }) => name);
    expect(named).toEqual(
      expect.arrayContaining(['Node', 'Electron', 'Browser', 'Python', 'Sandbox', 'Model', 'Servers']),
    );
    for (const { name, status, fix } of findings) {
      if (status === 'missing') expect(fix, `the fix for ${name}`).toBeTruthy();
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('causeway servers, when something is wrong', () => {
  it('says what is wrong with one server, step by step, with exit code 1', async () => {
    const line = commandLine();
    await line.run('servers', 'add', 'broken', 'no-such-program-anywhere');
    const { code, stdout } = await line.run('servers', 'doctor', 'broken', '--json');
    expect(code).toBe(1);
    expect(finding.array().parse(JSON.parse(stdout)).at(-1)).toMatchObject({ name: 'Command', status: 'missing' });
  });

  it('shows every message of a start', async () => {
    const line = commandLine();
    await line.run('servers', 'add', 'every', 'node', '--no-warnings', EVERYTHING);
    const { code, stdout } = await line.run('servers', 'traffic', 'every');
    expect(code).toBe(0);
    expect(stdout).toMatch(/-> request initialize .*"method":"initialize"/);
    expect(stdout).toMatch(/<- answer tools\/list \([^)]+\)/);
  });

  it('takes the value of an input from stdin, and keeps it to itself', async () => {
    const line = commandLine();
    const { child, finished } = line.start('servers', 'input', 'the-key');
    child.stdin.end('hunter2-hunter2\n');
    const { code, stdout, stderr } = await finished;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The value of "the-key" is kept.\n' });
    expect(stdout + stderr).not.toContain('hunter2');
    expect((await line.run('servers', 'input', 'the-key', '--forget')).code).toBe(0);
  });

  it('lists what the servers need, and takes only what an input can be', async () => {
    const line = commandLine();
    const inputs = [{ id: 'region', description: 'Where it runs', options: ['eu', 'us'], password: false }];
    const servers = { far: { command: 'no-such-program', args: ['${input:region}', '${input:key}'] } };
    writeFileSync(path.join(line.home, 'mcp.json'), JSON.stringify({ inputs, mcpServers: servers }));
    const listed = await line.run('servers', 'input');
    expect(listed.stdout).toMatch(/region +not given +Where it runs\nkey +not given/);
    const wrong = line.start('servers', 'input', 'region');
    wrong.child.stdin.end('mars\n');
    expect(await wrong.finished).toMatchObject({ code: 1, stderr: expect.stringContaining('eu, us') as string });
    const right = line.start('servers', 'input', 'region');
    right.child.stdin.end('eu\n');
    expect((await right.finished).code).toBe(0);
    expect((await line.run('servers', 'input')).stdout).toMatch(/region +given/);
  });

  it('ends at once when it is stopped while a server keeps silent', async () => {
    const line = commandLine();
    const silent = path.join(import.meta.dirname, '../../fixtures/servers/silent.ts');
    const { child, finished } = line.start('servers', 'add', 'silent', process.execPath, silent);
    await waitFor(() => commandLinesWith(silent).length > 1, { what: 'the server to run' });
    const start = performance.now();
    child.kill('SIGINT');
    expect((await finished).code).toBe(130);
    // Far below the deadline of a start, also on a machine that has much to do.
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(commandLinesWith(silent)).toEqual([]);
  });
});
