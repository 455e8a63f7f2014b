import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTrustedProgram, programFolders } from '../../../src-main/platform/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function program(...parts: string[]): string {
  const file = path.join(...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

describe('a program that the host starts by name', () => {
  it('is never one of a workspace, directly or through links of folders and files', () => {
    const [workspace, own] = [temporaryFolder(), temporaryFolder()];
    const planted = program(workspace, 'node_modules', '.bin', 'tool');
    const folderLink = path.join(own, 'linked');
    symlinkSync(path.dirname(planted), folderLink);
    const linked = path.join(own, 'bin', 'tool');
    mkdirSync(path.dirname(linked));
    symlinkSync(planted, linked);
    const good = program(own, 'good', 'tool');
    const searchPath = [path.dirname(planted), folderLink, path.dirname(linked), path.dirname(good)].join(':');
    expect(findTrustedProgram('tool', { searchPath, workspaces: () => [workspace] })).toBe(good);
  });

  it('is none that everybody may replace', () => {
    const folder = temporaryFolder();
    const file = program(folder, 'bin', 'tool');
    const search = { searchPath: path.dirname(file), workspaces: () => [] };
    chmodSync(path.dirname(file), 0o777);
    expect(findTrustedProgram('tool', search)).toBeUndefined();
    chmodSync(path.dirname(file), 0o755);
    chmodSync(file, 0o777);
    expect(findTrustedProgram('tool', search)).toBeUndefined();
    chmodSync(file, 0o755);
    expect(findTrustedProgram('tool', search)).toBe(file);
  });

  it('is the system’s before that of another folder; relative folders and missing ones are left out', () => {
    const own = temporaryFolder();
    const search = { searchPath: `.:${own}:${own}/missing:/usr/bin`, workspaces: () => [] };
    expect(programFolders(search)).toEqual(['/usr/bin', own]);
  });
});
