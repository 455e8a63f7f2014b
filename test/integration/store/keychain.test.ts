import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasKeyring } from '../../fixtures/environment.ts';
import { runScript } from '../../fixtures/secrets-script.ts';
import { startKeyring } from '../../fixtures/keyring.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

const isFile = (home: string): boolean => existsSync(path.join(home, 'secrets.key'));

describe.skipIf(!hasKeyring)('the key of the secrets (needs a GNOME keyring and dbus-daemon)', () => {
  it('goes to the keychain, and is nowhere else from then on', async () => {
    const [home, env] = [temporaryFolder(), await startKeyring()];
    expect(await runScript(home, env, ['set', 'model.key', 'sk-1'])).toEqual({ place: 'keychain' });
    expect(isFile(home)).toBe(false);
    expect(readFileSync(path.join(home, 'secrets.json'), 'utf8')).not.toContain('sk-1');
    expect(await runScript(home, env, ['get', 'model.key'])).toEqual({ place: 'keychain', value: 'sk-1' });
  });

  it('of secrets that are there already goes there too', async () => {
    const [home, env] = [temporaryFolder(), await startKeyring()];
    const without = { ...env, CAUSEWAY_KEYCHAIN: 'off' };
    expect(await runScript(home, without, ['set', 'model.key', 'sk-1'])).toEqual({ place: 'file' });
    expect(isFile(home)).toBe(true);
    expect(await runScript(home, env, ['get', 'model.key'])).toEqual({ place: 'keychain', value: 'sk-1' });
    expect(isFile(home)).toBe(false);
  });

  it('is missed with a reason where the keychain is not, and no other key takes its place', async () => {
    const [home, env] = [temporaryFolder(), await startKeyring()];
    await runScript(home, env, ['set', 'model.key', 'sk-1']);
    const without = { ...env, CAUSEWAY_KEYCHAIN: 'off' };
    for (const action of [
      ['get', 'model.key'],
      ['set', 'other', 'x'],
    ]) {
      expect(await runScript(home, without, action)).toEqual({
        place: 'keychain',
        error: expect.stringContaining('keychain did not give the key of the secrets: there is none in this session'),
      });
    }
    expect(isFile(home)).toBe(false);
    const another = await startKeyring();
    expect(await runScript(home, another, ['get', 'model.key'])).toMatchObject({
      error: expect.stringContaining('no such entry any more'),
    });
    expect(await runScript(home, env, ['get', 'model.key'])).toMatchObject({ value: 'sk-1' });
  });

  it('is one for two programs that start together', async () => {
    const [home, env] = [temporaryFolder(), await startKeyring()];
    await Promise.all(['a', 'b', 'c'].map((name) => runScript(home, env, ['set', name, name])));
    // Each wrote the whole file: one of them was last. What it wrote can be read.
    const all = await Promise.all(['a', 'b', 'c'].map((name) => runScript(home, env, ['get', name])));
    expect(all.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(all.some(({ value }) => value !== undefined)).toBe(true);
  });
});

describe('the key of the secrets', () => {
  it('stays a file where the keychain can not be reached', async () => {
    const home = temporaryFolder();
    const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus', CAUSEWAY_KEYCHAIN: undefined };
    expect(await runScript(home, env, ['set', 'model.key', 'sk-1'])).toEqual({ place: 'file' });
    expect(await runScript(home, env, ['get', 'model.key'])).toEqual({ place: 'file', value: 'sk-1' });
  });
});
