import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { guardWorkspace } from '../../../src-main/sandbox/workspace-guard.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function make(workspace: string, ...entries: string[]): void {
  for (const entry of entries) {
    if (entry.endsWith('/')) mkdirSync(path.join(workspace, entry), { recursive: true });
    else writeFileSync(path.join(workspace, entry), 'x\n');
  }
}

/** Takes down the workspace, lets it be changed in steps with a guard each, and gives what is moved in the last one. */
async function movedAfter(steps: readonly (readonly string[])[], start: readonly string[] = []): Promise<string[]> {
  const workspace = temporaryFolder();
  make(workspace, ...start);
  let moved: string[] = [];
  for (const step of steps) {
    const guard = await guardWorkspace(workspace, ['.git']);
    make(workspace, ...step);
    moved = (await guard.moveAsidePlanted()).map(({ from }) => from);
    expect(moved.filter((name) => existsSync(path.join(workspace, name)))).toEqual([]);
  }
  return moved;
}

describe('what git would obey in the top of a workspace', () => {
  it.each([
    { what: 'a repository', steps: [['.git/']] },
    { what: 'a file that names one', steps: [['.git']] },
    { what: 'a bare repository', steps: [['HEAD', 'objects/', 'refs/', 'config']] },
    { what: 'a bare repository in two calls', steps: [['HEAD'], ['objects/', 'refs/']] },
    { what: 'a bare repository in two calls, the other way round', steps: [['objects/', 'refs/'], ['HEAD']] },
    {
      what: 'a bare repository whose parts are in another folder',
      steps: [['HEAD', 'commondir', 'x/', 'config.worktree']],
    },
  ])('is moved away when it was planted: $what', async ({ steps }) => {
    expect(await movedAfter(steps)).toHaveLength(1);
  });

  it('stays when it was there, or when it is only a part', async () => {
    expect(await movedAfter([['more']], ['HEAD', 'objects/', 'refs/'])).toEqual([]);
    expect(await movedAfter([['objects/', 'refs/', 'config']])).toEqual([]);
    expect(await movedAfter([['HEAD', 'objects/']])).toEqual([]);
  });

  it('is moved whatever names were taken on purpose, and whatever may be done in the folder', async () => {
    const workspace = temporaryFolder();
    const guard = await guardWorkspace(workspace, ['.git', '.vscode']);
    const now = Date.now();
    make(workspace, '.git/', '.vscode/', ...Array.from({ length: 500 }, (_, ms) => `.git.from-sandbox-${now + ms}`));
    chmodSync(workspace, 0o000);
    const moved = await guard.moveAsidePlanted();
    expect(moved.map(({ from, to }) => [from, to !== undefined])).toEqual([
      ['.git', true],
      ['.vscode', true],
    ]);
    expect(readdirSync(workspace)).not.toContain('.git');
    expect(statSync(workspace).mode & 0o300).toBe(0o300);
  });
});
