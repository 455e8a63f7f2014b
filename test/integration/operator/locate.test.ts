import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLocalOperator, type Operator } from '../../../src-main/operator/index.ts';
import { OPERATORS } from '../../fixtures/operator/operators.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

type Open = (workspace: string) => Promise<Operator>;
const openLocal: Open = (workspace) => createLocalOperator({ workspace });

async function setUp(open = openLocal): Promise<{ operator: Operator; workspace: string; outside: string }> {
  const workspace = temporaryFolder();
  const outside = temporaryFolder();
  return { operator: await open(workspace), workspace, outside };
}

describe('a workspace', () => {
  it('is known by its real path', async () => {
    const { workspace, outside } = await setUp();
    const link = path.join(outside, 'link');
    symlinkSync(workspace, link);
    const operator = await createLocalOperator({ workspace: link });
    expect(operator.workspace).toBe(workspace);
    expect(await operator.locate('a.txt')).toMatchObject({ inside: true });
  });

  it('must be a folder that is there', async () => {
    const { outside } = await setUp();
    const file = path.join(outside, 'file');
    writeFileSync(file, '');
    await expect(createLocalOperator({ workspace: file })).rejects.toMatchObject({ code: 'bad_input' });
    await expect(createLocalOperator({ workspace: `${file}-not` })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe.each(OPERATORS)('a path, through $name', ({ missing, open }) => {
  beforeEach(({ skip }) => skip(missing, 'needs bubblewrap'));

  it('is resolved against the workspace, whether it exists or not', async () => {
    const { operator, workspace } = await setUp(open);
    const absolute = path.join(workspace, 'a', 'b.txt');
    expect(await operator.locate('a/./c/../b.txt')).toEqual({ absolute, real: absolute, inside: true });
    expect(await operator.locate(absolute)).toEqual({ absolute, real: absolute, inside: true });
    expect(await operator.locate('.')).toMatchObject({ real: workspace, inside: true });
  });

  it('is outside when it climbs out, or only begins like the workspace', async () => {
    const { operator, workspace } = await setUp(open);
    expect((await operator.locate('../x')).inside).toBe(false);
    expect((await operator.locate('a/../../x')).inside).toBe(false);
    expect((await operator.locate(`${workspace}-other/x`)).inside).toBe(false);
    expect((await operator.locate('..x')).inside).toBe(true);
  });

  it('is outside when a symlink on the way leads out, also if its end does not exist yet', async () => {
    const { operator, workspace, outside } = await setUp(open);
    symlinkSync(outside, path.join(workspace, 'door'));
    const location = await operator.locate('door/new/file.txt');
    expect(location.inside).toBe(false);
    expect(location.absolute).toBe(path.join(workspace, 'door/new/file.txt'));
    expect(location.real).toBe(path.join(outside, 'new/file.txt'));
  });

  it('is outside when it is a dangling symlink that leads out', async () => {
    const { operator, workspace, outside } = await setUp(open);
    symlinkSync(path.join(outside, 'not-yet'), path.join(workspace, 'dangling'));
    expect(await operator.locate('dangling')).toMatchObject({ real: path.join(outside, 'not-yet'), inside: false });
  });

  it('is inside when its symlinks stay inside', async () => {
    const { operator, workspace } = await setUp(open);
    mkdirSync(path.join(workspace, 'real'));
    symlinkSync('real', path.join(workspace, 'link'));
    expect(await operator.locate('link/file')).toMatchObject({ real: path.join(workspace, 'real/file'), inside: true });
  });

  it('may be made of any letters that a name can have, and none of them is expanded', async () => {
    const { operator, workspace } = await setUp(open);
    for (const name of [
      'with space',
      'quo\'te"s',
      '$(touch x)',
      '`id`',
      '$HOME',
      '名前 ñ 🙂',
      'line\nbreak',
      '-rf',
      '~x',
    ]) {
      expect(await operator.locate(name)).toMatchObject({ real: path.join(workspace, name), inside: true });
    }
  });

  it('is refused when it is empty, holds NUL, or begins with a tilde that would need expanding', async () => {
    const { operator } = await setUp(open);
    for (const bad of ['', 'a\0b', '~', '~/file']) {
      await expect(operator.locate(bad)).rejects.toMatchObject({ code: 'bad_input' });
    }
  });

  it('is refused when its symlinks lead in a circle', async () => {
    const { operator, workspace } = await setUp(open);
    symlinkSync('b', path.join(workspace, 'a'));
    symlinkSync('a', path.join(workspace, 'b'));
    await expect(operator.locate('a')).rejects.toMatchObject({ code: 'bad_input' });
  });
});
