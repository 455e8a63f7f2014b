import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryAt } from '../../../src-main/operator/sandboxed/identity.ts';
import { lstatIfThere, statIfThere } from '../../../src-main/platform/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

describe('a look at a path', () => {
  it.each([
    ['nothing is at', 'none'],
    ['goes on below a file', 'file/below'],
    ['goes on below links in a circle', 'circle/below'],
    ['has a name longer than any can be', 'n'.repeat(300)],
  ])('finds nothing where it %s', (_what, name) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    symlinkSync('circle', path.join(folder, 'circle'));
    const file = path.join(folder, name);
    expect([statIfThere(file), lstatIfThere(file), entryAt(file)]).toEqual([undefined, undefined, undefined]);
  });

  it('sees a link itself, or what it leads to', () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'in'));
    symlinkSync('in', path.join(folder, 'link'));
    expect(lstatIfThere(path.join(folder, 'link'))?.isSymbolicLink()).toBe(true);
    expect(statIfThere(path.join(folder, 'link'))?.isDirectory()).toBe(true);
  });
});
