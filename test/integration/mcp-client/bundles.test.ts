import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectBundle, unpackBundle } from '../../../src-main/mcp/client/bundle/unpack.ts';
import { createBundles, type Bundles } from '../../../src-main/mcp/client/index.ts';
import { manifestOf, writeBundle } from '../../fixtures/mcp-bundle.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { waitFor } from '../../fixtures/wait.ts';
import { writeZip } from '../../fixtures/zip.ts';
import { openServers, viewOf, type Setup } from './setup.ts';

interface BundleSetup extends Setup {
  bundles: Bundles;
  secrets: Map<string, string>;
  unpacked(): string[];
}

function openBundles(): BundleSetup {
  const setup = openServers();
  setup.servers.start();
  const secrets = new Map<string, string>();
  const folder = path.join(setup.folder, 'bundles');
  const bundles = createBundles({
    servers: setup.servers,
    configPath: path.join(setup.folder, 'mcp.json'),
    folder,
    home: homedir(),
    nodePath: process.execPath,
    keepSecret: (id, value) => secrets.set(id, value),
  });
  const unpacked = (): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.uploads') : [];
  return { ...setup, bundles, secrets, unpacked };
}

function newFile(): string {
  return path.join(temporaryFolder(), 'test.mcpb');
}

describe('a bundle', () => {
  it('says what it is and what exactly would run, before anything of it is unpacked', async () => {
    const { bundles, unpacked } = openBundles();
    const view = await bundles.look(await writeBundle(newFile()));
    expect(view).toMatchObject({
      name: 'faithful-notes',
      title: 'Faithful Notes',
      author: 'Somebody',
      type: 'node',
      tools: ['echo'],
      fields: [
        { key: 'folders', type: 'directory', multiple: true, default: [path.join(homedir(), 'notes')] },
        { key: 'key', sensitive: true, required: true },
        { key: 'mode', required: false },
      ],
    });
    expect(view.target).toContain(`${process.execPath} `);
    expect(view.target).toMatch(/bundles\/faithful-notes-1\.2\.0-[0-9a-f]{12}\/server\/index\.mjs/);
    expect(unpacked()).toEqual([]);
  });

  it('is unpacked and runs with what the person gave; a sensitive value is kept as a secret and is in no file', async () => {
    const { bundles, servers, folder, secrets, unpacked } = openBundles();
    const file = await writeBundle(newFile());
    await bundles.add(file, 'notes', { key: 'very-secret', folders: ['/a', '/b'] });
    await waitFor(() => viewOf(servers, 'notes').state === 'ready' || viewOf(servers, 'notes').message);
    expect([...secrets]).toEqual([['bundle.notes.key', 'very-secret']]);
    const text = readFileSync(path.join(folder, 'mcp.json'), 'utf8');
    expect(text).not.toContain('very-secret');
    const [name = ''] = unpacked();
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: {
        notes: {
          args: [path.join(folder, 'bundles', name, 'server/index.mjs'), '/a', '/b'],
          env: { NOTES_KEY: '${input:bundle.notes.key}' },
        },
      },
      inputs: [{ id: 'bundle.notes.key', password: true, description: 'API key' }],
    });
  });

  it('is not added without what it needs', async () => {
    const { bundles, servers, unpacked } = openBundles();
    const file = await writeBundle(newFile());
    await expect(bundles.add(file, 'notes', {})).rejects.toThrow('"API key" is needed');
    const number = { type: 'number', title: 'Port', description: '', min: 1, max: 9 };
    const other = await writeBundle(newFile(), manifestOf({ user_config: { port: number } }));
    await expect(bundles.add(other, 'notes', { port: 10 })).rejects.toThrow('"Port" must be at most 9');
    expect({ servers: servers.list(), unpacked: unpacked() }).toEqual({ servers: [], unpacked: [] });
  });

  it('arrives from a window in parts', async () => {
    const { bundles } = openBundles();
    const bytes = readFileSync(await writeBundle(newFile()));
    const upload = await bundles.receive({ data: bytes.subarray(0, 1000) });
    await bundles.receive({ upload, data: bytes.subarray(1000) });
    expect(await bundles.look(bundles.uploaded(upload))).toMatchObject({ name: 'faithful-notes' });
    expect(() => bundles.uploaded('../../etc/passwd')).toThrow(/no such upload/);
  });

  it('leaves nothing behind when its server is removed', async () => {
    const { bundles, servers, folder, unpacked } = openBundles();
    const plain = manifestOf({ user_config: {} });
    await bundles.add(await writeBundle(newFile(), plain), 'notes', {});
    const [name = ''] = unpacked();
    const place = path.join(folder, 'bundles', name);
    utimesSync(place, new Date(0), new Date(0));
    await bundles.sweep();
    expect(unpacked()).toEqual([name]);
    await servers.remove('notes');
    utimesSync(place, new Date(0), new Date(0));
    await bundles.sweep();
    expect(unpacked()).toEqual([]);
  });

  it('of another system, of an unknown version or without an entry point is refused in words', async () => {
    const { bundles } = openBundles();
    const refused = async (manifest: string): Promise<unknown> =>
      bundles.add(await writeBundle(newFile(), manifest), 'x', { key: 'k' });
    await expect(refused(manifestOf({ compatibility: { platforms: ['plan9'] } }))).rejects.toThrow('is for plan9');
    await expect(refused(manifestOf({ manifest_version: '9.0' }))).rejects.toThrow('version 9.0');
    await expect(refused(manifestOf({ server: { type: 'java' } }))).rejects.toThrow('"server.type"');
    await expect(refused('{ nothing')).rejects.toThrow('not valid JSON');
    const server = { type: 'node', entry_point: 'gone.js', mcp_config: { command: 'node' } };
    await expect(refused(manifestOf({ server }))).rejects.toThrow('"gone.js" is missing');
  });
});

describe('a hostile bundle', () => {
  const manifest = { name: 'manifest.json', text: manifestOf() };
  it.each([
    ['a path that leads out of it', [{ name: '../out', text: 'x' }]],
    ['such a path deeper inside', [{ name: 'a/../../out', text: 'x' }]],
    ['an absolute path', [{ name: '/tmp/out', text: 'x' }]],
    ['a path of Windows', [{ name: 'C:/out', text: 'x' }]],
    ['backslashes', [{ name: '..\\out', text: 'x' }]],
    ['a link', [{ name: 'link', text: '/etc/passwd', mode: 0o120777 }]],
    [
      'two names that differ in case',
      [
        { name: 'a', text: '1' },
        { name: 'A', text: '2' },
      ],
    ],
    ['more than it says', [{ name: 'a', text: 'x'.repeat(1000), claimed: 1 }]],
  ])('with %s is refused, and nothing is written outside', async (_what, entries) => {
    const file = writeZip(newFile(), [manifest, ...entries]);
    const folder = path.join(temporaryFolder(), 'deep', 'er');
    await expect(unpackBundle(file, folder)).rejects.toThrow(/This bundle can not be used/);
    expect(existsSync(path.join(folder, '..', 'out'))).toBe(false);
    expect(existsSync('/tmp/out')).toBe(false);
  });

  it('with too many or too large files is refused before they fill the disk', async () => {
    const many = writeZip(newFile(), [
      manifest,
      ...Array.from({ length: 20 }, (_, n) => ({ name: `f${n}`, text: 'x' })),
    ]);
    const limits = { files: 10, bytes: 100_000, manifestBytes: 10_000 };
    await expect(inspectBundle(many, limits)).rejects.toThrow('more than 10 files');
    const bomb = writeZip(newFile(), [manifest, { name: 'bomb', text: Buffer.alloc(1_000_000) }]);
    expect(statSync(bomb).size).toBeLessThan(10_000);
    await expect(inspectBundle(bomb, limits)).rejects.toThrow('too large');
    await expect(unpackBundle(bomb, temporaryFolder(), limits)).rejects.toThrow('too large');
  });

  it('that is no archive at all, or has no manifest, is refused in words', async () => {
    const file = writeZip(newFile(), [{ name: 'a', text: 'x' }]);
    await expect(inspectBundle(file)).rejects.toThrow('no manifest.json');
    await expect(inspectBundle(import.meta.filename)).rejects.toThrow('damaged, or no bundle');
  });
});
