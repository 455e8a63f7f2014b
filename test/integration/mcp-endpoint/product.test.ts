import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { TOKEN } from './clients.ts';
import { callArgs, inspectResult } from './inspector.ts';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

interface Subject {
  /** What the Inspector is told to speak to. */
  target: string[];
  workspace: string;
}

function overStdio(): Promise<Subject> {
  const workspace = temporaryFolder();
  const env = ['-e', `CAUSEWAY_HOME=${temporaryFolder()}`, '-e', `PATH=${process.env['PATH'] ?? ''}`];
  return Promise.resolve({ target: [process.execPath, cli, 'mcp', '--workspace', workspace, ...env], workspace });
}

async function overHttp(): Promise<Subject> {
  const workspace = temporaryFolder();
  const child = spawn(process.execPath, [cli, 'mcp', '--http', '--workspace', workspace], {
    env: { ...process.env, CAUSEWAY_HOME: temporaryFolder(), CAUSEWAY_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.resume();
  const find = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0];
  const url = await waitFor(find, { what: 'the URL on stderr' });
  return { target: [url, '--header', `Authorization: Bearer ${TOKEN}`], workspace };
}

const roads: [string, () => Promise<Subject>][] = [
  ['stdio', overStdio],
  ['HTTP', overHttp],
];

describe.skipIf(!existsSync(cli)).each(roads)('the built program, used by the MCP Inspector over %s', (_road, open) => {
  it.each(['legacy', 'modern'])('lists its tools in the %s era, but for terminate', async (era) => {
    const { target } = await open();
    const result = await inspectResult([...target, '--protocol-era', era, '--method', 'tools/list']);
    const named = (name: string): unknown => expect.objectContaining({ name });
    const own = ['bash', 'str_replace_editor', 'python_execute', 'ask_human'];
    expect(result).toMatchObject({ tools: expect.arrayContaining(own.map(named)) });
    expect(result).not.toMatchObject({ tools: expect.arrayContaining([named('terminate')]) });
  });

  it('runs a command and edits a file in the workspace', async () => {
    const { target, workspace } = await open();
    const ran = await inspectResult([
      ...target,
      ...callArgs('bash', { command: 'echo from-$((40 + 2)) > made.txt; cat made.txt' }),
    ]);
    expect(ran).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ text: expect.stringContaining('from-42') })]),
    });
    expect(readFileSync(path.join(workspace, 'made.txt'), 'utf8')).toBe('from-42\n');

    const file = path.join(workspace, 'notes.txt');
    writeFileSync(file, 'one\ntwo\n');
    const edit = { command: 'str_replace', path: file, old_str: 'two', new_str: 'true' };
    await inspectResult([...target, ...callArgs('str_replace_editor', edit)]);
    expect(readFileSync(file, 'utf8')).toBe('one\ntrue\n');
  });
});
