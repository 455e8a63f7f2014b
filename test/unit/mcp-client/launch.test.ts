import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareLaunch } from '../../../src-main/mcp/client/launch.ts';
import { stdioServer } from '../../../src-shared/index.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

function program(folder: string, name: string, mode = 0o755): string {
  const file = path.join(folder, name);
  writeFileSync(file, '');
  chmodSync(file, mode);
  return file;
}

describe('preparing a launch', () => {
  it('finds the first program of that name in the search path that can be run', async () => {
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    program(first, 'server', 0o644);
    const file = program(second, 'server');
    const launch = await prepareLaunch(stdioServer.parse({ command: 'server' }), {
      env: {},
      searchPath: [first, second].join(path.delimiter),
    });
    expect(launch.file).toBe(file);
  });

  it('starts a server that names no folder in the given one', async () => {
    const folder = temporaryFolder();
    program(folder, 'server');
    const launch = await prepareLaunch(stdioServer.parse({ command: 'server' }), {
      env: {},
      searchPath: folder,
      folder,
    });
    expect(launch.cwd).toBe(folder);
  });

  it('says what was looked for and what to install, and where it was looked for beside that, each folder once', async () => {
    const folder = temporaryFolder();
    const launch = prepareLaunch(stdioServer.parse({ command: 'uvx', args: ['x'] }), {
      env: {},
      searchPath: [folder, '/nowhere', folder].join(path.delimiter),
      otherFolders: ['/nowhere', '/nor/here'],
    });
    await expect(launch).rejects.toMatchObject({
      code: 'not_found',
      message: 'The command "uvx" was not found.',
      folders: [folder, '/nowhere', '/nor/here'],
      hint: expect.stringContaining('uv is not installed') as string,
    });
  });

  it('names a working folder that is not there', async () => {
    const config = stdioServer.parse({ command: 'x', cwd: '/nowhere/at/all' });
    await expect(prepareLaunch(config, { env: {}, searchPath: '' })).rejects.toThrow(
      /\/nowhere\/at\/all does not exist/,
    );
  });

  it('puts environment variables in, and says which one is not set', async () => {
    const folder = temporaryFolder();
    program(folder, 'server');
    const config = stdioServer.parse({ command: 'server', args: ['--key', '${env:K}'], env: { KEY: 'a${env:K}b' } });
    const launch = await prepareLaunch(config, { env: { K: 'v' }, searchPath: folder });
    expect(launch).toMatchObject({ args: ['--key', 'v'], env: { KEY: 'avb' } });
    await expect(prepareLaunch(config, { env: {}, searchPath: folder })).rejects.toThrow(/variable K,/);
  });

  it('hands on what programs need of the environment, and no keys', async () => {
    const folder = temporaryFolder();
    program(folder, 'server');
    const env = {
      HOME: '/home/me',
      LANG: 'C',
      https_proxy: 'http://p',
      OPENAI_API_KEY: 'secret',
      AWS_SECRET_ACCESS_KEY: 's',
    };
    const launch = await prepareLaunch(stdioServer.parse({ command: 'server' }), { env, searchPath: folder });
    expect(launch.env).toEqual({ HOME: '/home/me', LANG: 'C', https_proxy: 'http://p', PATH: folder });
  });
});
