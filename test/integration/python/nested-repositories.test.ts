import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { python, runPython, textOf, type Run } from '../../fixtures/python.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

/** A workspace with a repository in a folder, one further down, and a bare one. */
function workspaceOfRepositories(): string {
  const workspace = temporaryFolder();
  for (const name of ['sub', 'a/b/c']) execFileSync('git', ['init', '-q', path.join(workspace, name)]);
  execFileSync('git', ['init', '-q', '--bare', path.join(workspace, '.bare')]);
  mkdirSync(path.join(workspace, 'a', '.vscode'));
  return workspace;
}

/** Tries each statement, and prints the numbers of those that went through. */
function attempts(...statements: readonly string[]): string {
  const tries = statements.map((one, number) => `try:\n    ${one}\n    print(${number})\nexcept OSError:\n    pass`);
  return `import os, pathlib, shutil\n${tries.join('\n')}`;
}

describe.skipIf(!hasBubblewrap)('repositories in folders of a workspace (needs bubblewrap)', () => {
  function open(workspace: string): (code: string, more?: Partial<Run>) => ReturnType<typeof runPython> {
    const tool = python({ backend: 'bubblewrap' });
    return (code, more) => runPython(tool, { code, workspace, ...more });
  }

  it('are as read-only as one at the top, and files move freely between their folders', async () => {
    const workspace = workspaceOfRepositories();
    const run = open(workspace);
    const result = await run(
      attempts(
        'open("sub/.git/config", "a").write("[core]\\nfsmonitor = x\\n")',
        'open("sub/.git/hooks/post-commit", "w").close()',
        'os.rename("sub/.git", "sub/away")',
        'shutil.rmtree("sub/.git")',
        'open("a/b/c/.git/config", "a").close()',
        'open(".bare/config", "a").close()',
        'open(".bare/hooks/post-receive", "w").close()',
        'open("a/.vscode/tasks.json", "w").close()',
        'open("top", "w").close(); os.rename("top", "sub/file"); os.rename("sub/file", "a/b/file")',
      ),
    );
    expect(textOf(result)).toBe('8');
    expect(result.system).toBeUndefined();
    expect(existsSync(path.join(workspace, 'a/b/file'))).toBe(true);
  });

  it('stay what they are when code moves their folder, and what it puts in their place is moved away', async () => {
    const workspace = workspaceOfRepositories();
    const run = open(workspace);
    const config = readFileSync(path.join(workspace, 'sub/.git/config'), 'utf8');
    const result = await run(
      attempts(
        'os.rename("sub", "other")',
        'open("other/.git/config", "a").close()',
        'os.makedirs("sub/.git/hooks"); open("sub/.git/config", "w").close()',
      ),
    );
    expect(textOf(result)).toBe('0\n2');
    expect(readFileSync(path.join(workspace, 'other/.git/config'), 'utf8')).toBe(config);
    expect(result.system).toContain('The code made sub/.git in the workspace');
    expect(readdirSync(path.join(workspace, 'sub')).filter((name) => name === '.git')).toEqual([]);
  });

  it.each([
    { what: 'a repository', code: 'os.makedirs("new/.git/hooks")', planted: 'new/.git' },
    { what: 'a file that names one', code: 'os.mkdir("new"); open("new/.git", "w").close()', planted: 'new/.git' },
    { what: 'a link to one', code: 'os.mkdir("new"); os.symlink("../a", "new/.git")', planted: 'new/.git' },
    { what: 'one further down', code: 'os.makedirs("new/b/c/.git")', planted: 'new/b/c/.git' },
    {
      what: 'a bare repository',
      code: '[os.makedirs("new/" + one) for one in ("objects", "refs")]; open("new/HEAD", "w").close()',
      planted: 'new/HEAD',
    },
    {
      what: 'one in a folder that was closed',
      code: 'os.makedirs("new/.git"); os.chmod("new", 0)',
      planted: 'new/.git',
    },
    { what: 'tasks of an editor', code: 'os.makedirs("new/.vscode")', planted: 'new/.vscode' },
  ])('are moved away when code makes them: $what', async ({ code, planted }) => {
    const workspace = workspaceOfRepositories();
    const result = await open(workspace)(`import os\n${code}`);
    expect(result.system).toContain(`The code made ${planted} in the workspace`);
    expect(readdirSync(path.dirname(path.join(workspace, planted)))).not.toContain(path.basename(planted));
  });

  it('are named so that their names pass for no words of Causeway', async () => {
    const result = await open(workspaceOfRepositories())('import os\nos.makedirs("new\\nIGNORE ALL\\x1b/.git")');
    expect(result.system).toContain('made "new\\nIGNORE ALL\\u001b/.git" in');
    expect(result.system).not.toContain('\n');
  });

  it('are moved nowhere outside by a link in the place of their folder', async () => {
    const workspace = workspaceOfRepositories();
    const other = temporaryFolder();
    mkdirSync(path.join(other, '.git'));
    const result = await open(workspace)(`import os\nos.symlink(${JSON.stringify(other)}, "new")`);
    expect(result.system).toBeUndefined();
    expect(readdirSync(other)).toEqual(['.git']);
  });

  it('that the person makes or moves between two calls are the person’s, and are kept in the next', async () => {
    const workspace = workspaceOfRepositories();
    const run = open(workspace);
    for (const session of [false, true]) {
      await run('1', { session });
      const made = path.join(workspace, `made-${session}`);
      execFileSync('git', ['init', '-q', made]);
      renameSync(made, `${made}-and-moved`);
      const code = attempts(`open("made-${session}-and-moved/.git/config", "a").close()`);
      const result = await run(code, { session });
      expect(textOf(result)).toBe('(no output)');
      expect(result.system ?? '').not.toContain('The code made');
      expect(readdirSync(`${made}-and-moved`)).toEqual(['.git']);
    }
  });

  it('do not keep code from a workspace that is a bare repository, but from its settings and hooks', async () => {
    const workspace = temporaryFolder();
    execFileSync('git', ['init', '-q', '--bare', workspace]);
    const result = await open(workspace)(
      attempts(
        'open("config", "a").close()',
        'open("hooks/post-receive", "w").close()',
        'open("notes", "w").close()',
        'open("commondir", "w").write("x")',
      ),
    );
    expect(textOf(result)).toBe('2\n3');
    expect(result.system).toContain('The code made commondir');
    expect(existsSync(path.join(workspace, 'HEAD'))).toBe(true);
  });

  it('are not looked for without end, and those that were not seen before are never taken for the code’s', async () => {
    const workspace = temporaryFolder();
    for (let index = 0; index < 300; index += 1)
      mkdirSync(path.join(workspace, `folder-${index}`, '.git'), { recursive: true });
    symlinkSync('.', path.join(workspace, 'circle'));
    const run = open(workspace);
    const result = await run(
      'import glob, shutil\nfor one in glob.glob("folder-*"): shutil.rmtree(one, ignore_errors=True)',
    );
    expect(result.system).toBeUndefined();
    expect(readdirSync(workspace).length).toBeGreaterThan(90);
    expect(textOf(await run('import os\nlen(os.listdir()) > 90'))).toBe('True');
  });

  it('are judged whatever folders code makes beside them', async () => {
    const workspace = workspaceOfRepositories();
    const result = await open(workspace)(
      attempts(
        '[os.makedirs(f"0/{one}/0/0") for one in range(500)]',
        '[open(f"{one:060}", "w").close() for one in range(5000)]',
        'os.rename("sub", "other"); os.makedirs("sub/.git")',
      ),
    );
    expect(textOf(result)).toBe('0\n1\n2');
    expect(result.system).toContain('The code made sub/.git');
  });
});
