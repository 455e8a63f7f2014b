import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { python, runPython, textOf } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** Numbers of the processes that run on this machine with this text in their arguments. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

describe.skipIf(!hasBubblewrap)('python_execute in bubblewrap (needs bubblewrap)', () => {
  it('names the lines that code hung in, also where it hears nothing, and none of its own files', async () => {
    const code = `
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
def hang():
    sum(range(10**12))
hang()`;
    const tool = python({ backend: 'bubblewrap' });
    const said = textOf(await runPython(tool, { code, workspace: temporaryFolder(), timeout: 1 }));
    expect(said).toContain('File "<code>", line 5 in hang\n  File "<code>", line 6 in <module>\n');
    expect(said).toContain('its time was up');
    expect(said).not.toContain('/run/causeway');
  });

  it('keeps what was printed when code closes all of its descriptors, and tells nothing of its own files', async () => {
    const code = 'import os\nprint("printed")\nos.closerange(3, 1000)';
    const tool = python({ backend: 'bubblewrap' });
    for (const session of [false, true]) {
      const said = textOf(await runPython(tool, { code, workspace: temporaryFolder(), session }));
      expect(said).toMatch(/^printed\nPython ended without a report: .* closed all of its descriptors\.$/);
    }
  });

  it('leaves nothing running: what made itself a daemon is gone when the call returns', async () => {
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    const code = `
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            open("alive", "a").write("x")
            time.sleep(0.001)
    os._exit(0)
while not os.path.exists("alive"):
    time.sleep(0.001)
print("started")`;
    expect(textOf(await runPython(tool, { code, workspace }))).toBe('started');
    const size = statSync(path.join(workspace, 'alive')).size;
    await runPython(tool, { code: 'import time; time.sleep(0.1)', workspace });
    expect(statSync(path.join(workspace, 'alive')).size).toBe(size);
  });

  it('has no process left after it was disposed of', async () => {
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    await runPython(tool, { code: '1', workspace });
    await runPython(tool, { code: '1', workspace, session: true });
    expect(processesWith(workspace).length).toBeGreaterThan(0);
    await tool[Symbol.asyncDispose]();
    expect(processesWith(workspace)).toEqual([]);
  });

  it('answers many calls at once', async () => {
    const workspace = temporaryFolder();
    const tool = python({ backend: 'bubblewrap' });
    const numbers = Array.from({ length: 24 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((number) => runPython(tool, { code: `print(${number})`, workspace })),
    );
    expect(results.map(textOf)).toEqual(numbers.map(String));
  });

  it('names the line in which C code hung', async () => {
    const code = 'print("before")\n\nsum(range(10**13))';
    const result = await runPython(tool(), { code, workspace: temporaryFolder(), timeout: 1 });
    expect(textOf(result)).toContain('File "<code>", line 3 in <module>');
  });

  it('moves a repository aside that code planted, and says so', async () => {
    const workspace = temporaryFolder();
    const code = 'import os\nos.makedirs(".git/hooks")\nopen(".git/config", "w").write("[core]\\nfsmonitor = evil")';
    const result = await runPython(tool(), { code, workspace });
    expect(result.system).toContain('The code made .git in the workspace');
    expect(existsSync(path.join(workspace, '.git'))).toBe(false);
    expect(readdirSync(workspace).join()).toMatch(/^\.git\.from-sandbox-\d+$/);
  });

  it('moves the head of a planted bare repository aside', async () => {
    const workspace = temporaryFolder();
    const code =
      'import os\nfor name in ("objects", "refs"): os.mkdir(name)\nopen("HEAD", "w").write("ref: refs/heads/x")';
    await runPython(tool(), { code, workspace });
    expect(existsSync(path.join(workspace, 'HEAD'))).toBe(false);
  });

  it('protects a repository that was made while a worker was waiting', async () => {
    const workspace = temporaryFolder();
    const one = tool();
    await runPython(one, { code: '1', workspace });
    await runPython(one, { code: 'kept = 1', workspace, session: true });
    execFileSync('git', ['init', '-q', workspace]);
    for (const session of [false, true]) {
      const result = await runPython(one, { code: 'open(".git/config", "a")', workspace, session });
      expect(textOf(result)).toContain('Read-only file system');
    }
    expect(existsSync(path.join(workspace, '.git/config'))).toBe(true);
  });

  it('refuses a workspace that belongs to the system', async () => {
    await expect(runPython(tool(), { code: '1', workspace: '/usr' })).rejects.toThrow('belongs to the system');
  });

  it('works when the workspace holds Causeway’s data folder, which shows as empty', async () => {
    const workspace = temporaryFolder();
    const home = path.join(workspace, 'data');
    mkdirSync(home);
    writeFileSync(path.join(home, 'secret'), 'x');
    const one = python({ backend: 'bubblewrap', home });
    expect(textOf(await runPython(one, { code: 'import os; os.listdir("data")', workspace }))).toBe('[]');
  });

  const tool = (): ReturnType<typeof python> => python({ backend: 'bubblewrap' });
});
