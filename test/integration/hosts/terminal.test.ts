import { existsSync } from 'node:fs';
import path from 'node:path';
import { spawn } from 'node-pty';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI } from '../../fixtures/cli.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';

/** The program on a real terminal, with a person who reads and types. */
function atTerminal(...args: string[]) {
  const home = temporaryFolder('causeway-home-');
  const terminal = spawn(process.execPath, [CLI, ...args], {
    cwd: temporaryFolder('causeway-workspace-'),
    env: { ...process.env, CAUSEWAY_HOME: home, DISPLAY: '', WAYLAND_DISPLAY: '' },
    cols: 300,
  });
  let shown = '';
  terminal.onData((text) => (shown += text));
  const exited = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(async () => {
    terminal.kill('SIGKILL');
    await exited;
  });
  return {
    home,
    exited,
    type: (text: string): void => terminal.write(text),
    /** Waits until the screen has shown this, and gives it. */
    shows: (pattern: RegExp): Promise<RegExpExecArray> => waitFor(() => pattern.exec(shown), { what: String(pattern) }),
  };
}

function createOutside(file: string): string[] {
  return ['call', 'str_replace_editor', JSON.stringify({ command: 'create', path: file, file_text: 'x' })];
}

describe('a person at the terminal', () => {
  it('is asked before something happens outside the workspace, and can allow it', async () => {
    const file = path.join(temporaryFolder(), 'allowed.txt');
    const { shows, type, exited } = atTerminal(...createOutside(file));
    await shows(/This is outside the workspace[\s\S]*Allow it\?/);
    expect(existsSync(file)).toBe(false);
    type('y\r');
    expect(await exited).toBe(0);
    expect(existsSync(file)).toBe(true);
  });

  it('can refuse it and say why', async () => {
    const file = path.join(temporaryFolder(), 'refused.txt');
    const { shows, type, exited } = atTerminal(...createOutside(file));
    await shows(/Allow it\?/);
    type('use the other folder\r');
    await shows(/The person said no: use the other folder/);
    expect(await exited).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it('gives a secret that a server needs without its being seen', async () => {
    const { shows, type, exited } = atTerminal('servers', 'input', 'the-key');
    await shows(/Value of "the-key": /);
    type('hunter2-hunter2\r');
    const [screen] = await shows(/[\s\S]*The value of "the-key" is kept/);
    expect(screen).not.toContain('hunter2');
    expect(await exited).toBe(0);
  });

  it('stops everything with Ctrl-C instead of an answer', async () => {
    const file = path.join(temporaryFolder(), 'stopped.txt');
    const { shows, type, exited } = atTerminal(...createOutside(file));
    await shows(/Allow it\?/);
    type('\u0003');
    expect(await exited).toBe(130);
    expect(existsSync(file)).toBe(false);
  });

  it('answers a question of ask_human, and the answer is the result', async () => {
    const { shows, type, exited } = atTerminal('call', 'ask_human', '{"question": "Which way?"}');
    await shows(/Which way\?/);
    type('left\r');
    await shows(/> [\s\S]*left\r+\nleft\r\n/);
    expect(await exited).toBe(0);
  });

  it('gets a new link from the web host by pressing Enter, and ends it with Ctrl-C', async () => {
    const { shows, type, exited } = atTerminal('web', '--no-open');
    await shows(/Press Enter for a new link/);
    type('\r');
    const [, first, second] = await shows(/token=(\S+)[\s\S]*token=(\S+)/);
    expect(second).not.toBe(first);
    type('\u0003');
    expect(await exited).toBe(0);
  });
});
