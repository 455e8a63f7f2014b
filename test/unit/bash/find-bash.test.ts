import { describe, expect, test } from 'vitest';
import { findBash } from '../../../src-main/tools/bash/find-bash.ts';

/** Where only these files are. */
function machineWith(...files: string[]): Parameters<typeof findBash>[0] {
  return (file) =>
    Promise.resolve(files.includes(file) ? { kind: 'file', size: 1, mtimeMs: 0, mode: 0o755, stamp: '' } : null);
}

describe('the bash that is run', () => {
  test('is found on the PATH on Linux', async () => {
    expect(await findBash(machineWith(), {}, 'linux')).toBe('bash');
  });

  test("is Homebrew's on macOS, else the system's", async () => {
    expect(await findBash(machineWith('/opt/homebrew/bin/bash'), {}, 'darwin')).toBe('/opt/homebrew/bin/bash');
    expect(await findBash(machineWith(), {}, 'darwin')).toBe('bash');
  });

  test('is that of Git on Windows, where it is installed or beside the git on the PATH', async () => {
    const usual = 'C:\\Program Files\\Git\\bin\\bash.exe';
    expect(await findBash(machineWith(usual), { ProgramFiles: 'C:\\Program Files' }, 'win32')).toBe(usual);
    const env = { PATH: 'C:\\Windows\\System32;D:\\tools\\Git\\cmd' };
    const beside = 'D:\\tools\\Git\\bin\\bash.exe';
    expect(await findBash(machineWith(beside, 'C:\\Windows\\System32\\bash.exe'), env, 'win32')).toBe(beside);
  });

  test('is missing on Windows without Git, with what to do', async () => {
    const error = await findBash(machineWith(), { PATH: 'C:\\Windows\\System32' }, 'win32').catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'unavailable', hint: expect.stringContaining('Git for Windows') });
  });
});
