import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isPythonFolder, pythonFolders } from '../../../src-main/tools/python/cpython/python-folders.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function touch(...parts: string[]): void {
  const file = path.join(...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
}

describe('a folder of a Python', () => {
  it('is an installation or a virtual environment, by what Python itself looks for', () => {
    const folder = temporaryFolder();
    touch(folder, 'installed', 'lib', 'python3.13', 'os.py');
    touch(folder, 'environment', 'pyvenv.cfg');
    mkdirSync(path.join(folder, 'environment', 'bin'));
    symlinkSync('/bin/true', path.join(folder, 'environment', 'bin', 'python3'));
    // What pip installs for a person looks nearly alike, and lies beside their keys.
    touch(folder, '.local', 'lib', 'python3.13', 'site-packages', 'x.py');
    touch(folder, '.local', 'bin', 'python3');
    touch(folder, '.ssh', 'id_test');
    const found = ['installed', 'environment', '.local', '.ssh'].map((name) => isPythonFolder(path.join(folder, name)));
    expect(found).toEqual([true, true, false, false]);
  });

  it('is one that lies in another', () => {
    const folder = temporaryFolder();
    touch(folder, 'lib', 'python3.13', 'os.py');
    const inside = path.join(folder, 'lib', 'python3.13', 'lib-dynload');
    expect(pythonFolders([folder, inside, path.dirname(folder)])).toEqual([folder, inside]);
  });
});
