import { describe, expect, it } from 'vitest';
import { commandLine } from '../../fixtures/cli.ts';
import { browseTo } from '../../fixtures/person-browser.ts';
import { startSignInServer } from '../../fixtures/sign-in-server.ts';
import { waitFor } from '../../fixtures/wait.ts';

describe('causeway servers login and logout', () => {
  it('prints where to sign in, waits for the person, and says that the server is ready; then signs out', async () => {
    const server = await startSignInServer();
    const line = commandLine();
    const added = await line.run('servers', 'add', 'notes', server.mcpUrl);
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining('It wants you to sign in.') });

    const { child, finished } = line.start('servers', 'login', 'notes', '--no-open');
    let said = '';
    child.stderr.on('data', (text: string) => (said += text));
    const [, url = ''] = await waitFor(() => /here:\n(http\S+)\n/.exec(said), { what: 'the address' });
    await browseTo(url);
    expect(await finished).toMatchObject({ code: 0, stdout: expect.stringContaining('notes  ready') });

    expect((await line.run('call', 'mcp_notes_read', '{}', '--yes')).code).toBe(0);
    const out = await line.run('servers', 'logout', 'notes');
    expect(out).toMatchObject({
      code: 0,
      stdout: 'Signed out of "notes", and its authorization server was told.\n',
    });
    expect(server.accessTokens.size).toBe(0);
  });

  it('ends when the person interrupts it, and listens no longer', async () => {
    const server = await startSignInServer();
    const line = commandLine();
    await line.run('servers', 'add', 'notes', server.mcpUrl);
    const { child, finished } = line.start('servers', 'login', 'notes', '--no-open');
    let said = '';
    child.stderr.on('data', (text: string) => (said += text));
    await waitFor(() => said.includes('here:'), { what: 'the address' });
    child.kill('SIGINT');
    expect((await finished).code).not.toBe(0);
  });

  it('says that a program on this machine needs no sign-in', async () => {
    const line = commandLine();
    await line.run('servers', 'add', 'local', 'no-such-program-anywhere');
    const out = await line.run('servers', 'logout', 'local');
    expect(out).toMatchObject({ code: 1, stderr: expect.stringContaining('Nobody signs in to the server "local"') });
  });
});
