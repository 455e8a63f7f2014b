import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FileOperator } from '../../../src-main/operator/index.ts';
import { hasBubblewrap } from '../../fixtures/environment.ts';
import { OPERATORS } from '../../fixtures/operator/operators.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';
import { canHoldAttributes, runAttributes } from '../../fixtures/operator/attributes.ts';

const WRITER = fileURLToPath(new URL('../../fixtures/operator/write-to-full-disk.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;

const bytes = (text: string): Buffer => Buffer.from(text);

describe.each(OPERATORS)('through $name', ({ kind, missing, open }) => {
  const isLocal = kind === 'local';

  async function setUp(): Promise<{ files: FileOperator; folder: string; at: (name: string) => string }> {
    const folder = temporaryFolder();
    const { files } = await open(folder);
    return { files, folder, at: (name) => path.join(folder, name) };
  }

  describe.skipIf(missing)('writing a file', () => {
    it('makes it with its parent folders and leaves nothing else', async () => {
      const { files, folder, at } = await setUp();
      await files.write(at('a/b/c.txt'), [bytes('one '), bytes('two')]);
      expect(readFileSync(at('a/b/c.txt'), 'utf8')).toBe('one two');
      expect(readdirSync(at('a/b'))).toEqual(['c.txt']);
      expect(readdirSync(folder)).toEqual(['a']);
    });

    it('replaces it in one step: whoever has it open keeps the old one', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('f'), 'old');
      const before = statSync(at('f')).ino;
      await files.write(at('f'), bytes('new'));
      expect(statSync(at('f')).ino).not.toBe(before);
      expect(readFileSync(at('f'), 'utf8')).toBe('new');
    });

    it('does nothing when the path was touched since it was looked at, if that is asked for', async () => {
      const { files, at } = await setUp();
      const options = { follow: false, ifStill: null };
      expect(await files.write(at('f'), bytes('made'), options)).toBe(true);
      expect(await files.write(at('f'), bytes('made again'), options)).toBe(false);
      const seen = await files.stat(at('f'), { follow: false });
      expect(await files.write(at('f'), bytes('new'), { ...options, ifStill: seen })).toBe(true);
      expect(await files.write(at('f'), bytes('too late'), { ...options, ifStill: seen })).toBe(false);
      rmSync(at('f'));
      expect(await files.write(at('f'), bytes('too late'), { ...options, ifStill: seen })).toBe(false);
      expect(existsSync(at('f'))).toBe(false);
    });

    it('keeps the mode of an existing file unless another is asked for', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('script'), 'old');
      chmodSync(at('script'), 0o1751);
      await files.write(at('script'), bytes('new'));
      expect(statSync(at('script')).mode & 0o7777).toBe(0o1751);
      await files.write(at('script'), bytes('newer'), { mode: 0o600 });
      expect(statSync(at('script')).mode & 0o7777).toBe(0o600);
      linkSync(at('script'), at('other name'));
      await files.write(at('script'), bytes('newest'), { mode: 0o640 });
      expect(statSync(at('other name')).mode & 0o7777).toBe(0o640);
      await files.write(at('fresh'), bytes('x'), { mode: 0o777 });
      expect(statSync(at('fresh')).mode & 0o7777).toBe(0o777);
    });

    it.runIf(isLocal)('keeps it also where a program gets the rights of its owner', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('program'), 'old');
      chmodSync(at('program'), 0o4751);
      await files.write(at('program'), bytes('new'));
      expect(statSync(at('program')).mode & 0o7777).toBe(0o4751);
    });

    it.skipIf(isLocal)('is refused where a program would get the rights of its owner', async () => {
      const { files, folder, at } = await setUp();
      writeFileSync(at('program'), 'old');
      chmodSync(at('program'), 0o4751);
      const told = { code: 'refused', message: expect.stringContaining('set-user-ID') };
      await expect(files.write(at('program'), bytes('new'))).rejects.toMatchObject(told);
      await expect(files.write(at('fresh'), bytes('new'), { mode: 0o4755 })).rejects.toMatchObject(told);
      expect(readFileSync(at('program'), 'utf8')).toBe('old');
      expect(readdirSync(folder)).toEqual(['program']);
    });

    it('replaces a symlink instead of what it leads to when asked to', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('target'), 'kept');
      symlinkSync('target', at('link'));
      await files.write(at('link'), bytes('a file now'), { follow: false });
      expect(lstatSync(at('link')).isFile()).toBe(true);
      expect(readFileSync(at('target'), 'utf8')).toBe('kept');
      expect(readdirSync(path.dirname(at('link'))).sort()).toEqual(['link', 'target']);
    });

    it('goes through no symlink on the way when asked not to follow any', async () => {
      const { files, at } = await setUp();
      mkdirSync(at('elsewhere'));
      writeFileSync(at('elsewhere/file'), 'kept');
      symlinkSync('elsewhere', at('link'));
      expect(await files.stat(at('link/file'))).toMatchObject({ kind: 'file' });
      expect(await files.stat(at('link/file'), { follow: false })).toBeNull();
      const refused = { code: 'conflict', message: expect.stringContaining(at('elsewhere/file')) };
      await expect(files.write(at('link/file'), bytes('new'), { follow: false })).rejects.toMatchObject(refused);
      await expect(files.makeLink(at('link/file'), bytes('x'))).rejects.toMatchObject(refused);
      await expect(files.makeFolder(at('link/file'))).rejects.toMatchObject(refused);
      expect(readFileSync(at('elsewhere/file'), 'utf8')).toBe('kept');
    });

    it.skipIf(!isRoot)('keeps the owner (needs root to give a file away)', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('theirs'), 'old');
      chmodSync(at('theirs'), 0o666);
      chownSync(at('theirs'), 1234, 2345);
      await files.write(at('theirs'), bytes('new'));
      expect(statSync(at('theirs'))).toMatchObject({ uid: 1234, gid: 2345 });
    });

    it.skipIf(!canHoldAttributes)(
      'keeps extended attributes and access lists, write after write (needs a file system that has them, and python3)',
      async () => {
        const { files, at } = await setUp();
        const name = at('-odd\nname ñ');
        writeFileSync(name, 'old', { mode: 0o640 });
        const marked = runAttributes('set', name);
        for (const text of ['new', 'newer', 'newest']) {
          await files.write(name, bytes(text));
          expect(runAttributes('get', name)).toEqual(marked);
        }
        expect(readFileSync(name, 'utf8')).toBe('newest');
        expect(statSync(name).mode & 0o7777).toBe(0o640);
      },
    );

    it.skipIf(!canHoldAttributes)(
      'keeps attributes that a file got between two writes (needs them, and python3)',
      async () => {
        const { files, at } = await setUp();
        writeFileSync(at('f'), 'old', { mode: 0o640 });
        await files.write(at('f'), bytes('new'));
        await files.write(at('f'), bytes('newer'));
        const marked = runAttributes('set', at('f'));
        await files.write(at('f'), bytes('newest'));
        expect(runAttributes('get', at('f'))).toEqual(marked);
      },
    );

    it('goes through a symlink to its target, also where that is not there yet', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('target'), 'old');
      symlinkSync('target', at('link'));
      symlinkSync('later', at('dangling'));
      await files.write(at('link'), bytes('new'));
      await files.write(at('dangling'), bytes('made'));
      expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
      expect(readFileSync(at('target'), 'utf8')).toBe('new');
      expect(lstatSync(at('dangling')).isSymbolicLink()).toBe(true);
      expect(readFileSync(at('later'), 'utf8')).toBe('made');
    });

    it('keeps hard links one file, longer or shorter', async () => {
      const { files, folder, at } = await setUp();
      writeFileSync(at('one'), 'a rather long old text');
      linkSync(at('one'), at('two'));
      await files.write(at('one'), bytes('short'));
      expect(readFileSync(at('two'), 'utf8')).toBe('short');
      await files.write(at('two'), bytes('now much longer than before'));
      expect(readFileSync(at('one'), 'utf8')).toBe('now much longer than before');
      expect(statSync(at('one')).ino).toBe(statSync(at('two')).ino);
      expect(readdirSync(folder)).toEqual(['one', 'two']);
    });

    it('works with the longest names', async () => {
      const { files, at } = await setUp();
      const name = 'ñ'.repeat(127);
      await files.write(at(name), bytes('x'));
      await files.write(at(name), bytes('y'));
      expect(readFileSync(at(name), 'utf8')).toBe('y');
    });

    it('says what is wrong: a folder, a name too long, a parent that is a file', async () => {
      const { files, at } = await setUp();
      mkdirSync(at('folder'));
      writeFileSync(at('file'), '');
      await expect(files.write(at('folder'), bytes('x'))).rejects.toMatchObject({
        code: 'bad_input',
        message: `${at('folder')} could not be written: it is a folder.`,
      });
      await expect(files.write(at('n'.repeat(300)), bytes('x'))).rejects.toMatchObject({ code: 'bad_input' });
      await expect(files.write(at('file/child'), bytes('x'))).rejects.toMatchObject({ code: 'bad_input' });
    });

    it.skipIf(isRoot)('is refused for a write-protected file (root may write anything)', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('locked'), 'old', { mode: 0o444 });
      await expect(files.write(at('locked'), bytes('new'))).rejects.toMatchObject({ code: 'refused' });
      expect(readFileSync(at('locked'), 'utf8')).toBe('old');
    });

    it.skipIf(!hasBubblewrap || !isLocal)(
      'says that the disk is full, and leaves the old file (needs bubblewrap for a small disk)',
      () => {
        const sandbox = 'bwrap';
        const size = String(256 * 1024);
        const argv = ['--dev-bind', '/', '/', '--size', size, '--tmpfs', '/mnt', process.execPath, WRITER, '/mnt'];
        expect(JSON.parse(execFileSync(sandbox, argv, { encoding: 'utf8' }))).toEqual({
          told: { code: 'io', message: '/mnt/file.txt could not be written: the disk is full.' },
          text: 'old',
          names: ['file.txt'],
        });
      },
    );
  });

  describe.skipIf(missing)('after a crash in the middle of a write', () => {
    it('temporary files of that path go, and nobody else’s', async () => {
      const { files, folder, at } = await setUp();
      writeFileSync(at('f'), 'old');
      writeFileSync(at('.f.0123456789ab.causeway-tmp'), 'half');
      writeFileSync(at('.g.0123456789ab.causeway-tmp'), 'of another file');
      writeFileSync(at('.f.notes'), 'of the person');
      await files.settle(at('f'));
      expect(readdirSync(folder)).toEqual(['.f.notes', '.g.0123456789ab.causeway-tmp', 'f']);
      expect(readFileSync(at('f'), 'utf8')).toBe('old');
    });

    it('a file that was half written in place is completed', async () => {
      const { files, folder, at } = await setUp();
      writeFileSync(at('f'), 'new te old text, torn');
      linkSync(at('f'), at('also'));
      writeFileSync(at('.f.0123456789ab.causeway-new'), 'new text');
      await files.settle(at('f'));
      expect(readFileSync(at('also'), 'utf8')).toBe('new text');
      expect(readdirSync(folder)).toEqual(['also', 'f']);
    });

    it('nothing happens where nothing was left, or where there is no folder', async () => {
      const { files, at } = await setUp();
      await files.settle(at('f'));
      await files.settle(at('missing/f'));
    });
  });

  describe.skipIf(missing)('reading a file', () => {
    it('gives all of it, or a part that may end early', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('f'), '0123456789');
      expect(String(await files.read(at('f')))).toBe('0123456789');
      expect(String(await files.read(at('f'), { offset: 3, length: 4 }))).toBe('3456');
      expect(String(await files.read(at('f'), { offset: 8, length: 40 }))).toBe('89');
      expect(String(await files.read(at('f'), { offset: 99, length: 4 }))).toBe('');
    });

    it.skipIf(process.platform !== 'linux' || !isLocal)(
      'gives files that do not say their size (only Linux has /proc)',
      async () => {
        const { files } = await setUp();
        expect(String(await files.read('/proc/self/status'))).toContain('Pid:');
      },
    );

    it('does not wait for a pipe or read a device for ever', async () => {
      const { files, at } = await setUp();
      const makePipe = 'mkfifo';
      execFileSync(makePipe, [at('pipe')]);
      await expect(files.read(at('pipe'))).rejects.toMatchObject({ code: 'bad_input' });
      await expect(files.read('/dev/zero')).rejects.toMatchObject({ code: isLocal ? 'bad_input' : 'refused' });
    });

    it('can be a comparison only', async () => {
      const { files, folder, at } = await setUp();
      const large = Buffer.alloc(2_500_000, 'some text ');
      writeFileSync(at('f'), large);
      expect(await files.holds(at('f'), large)).toBe(true);
      expect(await files.holds(at('f'), large.subarray(1))).toBe(false);
      large[2_400_000] = 0;
      expect(await files.holds(at('f'), large)).toBe(false);
      expect(await files.holds(at('none'), Buffer.alloc(0))).toBe(false);
      expect(await files.holds(folder, Buffer.alloc(0))).toBe(false);
      writeFileSync(at('empty'), '');
      expect(await files.holds(at('empty'), Buffer.alloc(0))).toBe(true);
    });

    it('says what is missing or a folder', async () => {
      const { files, at } = await setUp();
      await expect(files.read(at('none'))).rejects.toMatchObject({
        code: 'not_found',
        message: `${at('none')} could not be read: it is not there.`,
      });
      await expect(files.read(at('.'))).rejects.toMatchObject({ code: 'bad_input' });
    });
  });

  describe.skipIf(missing)('looking at files', () => {
    it('follows symlinks, and gives null for what is not there', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('f'), 'abc', { mode: 0o640 });
      symlinkSync('f', at('link'));
      expect(await files.stat(at('link'))).toMatchObject({ kind: 'file', size: 3, mode: 0o640 });
      expect(await files.stat(at('none'))).toBeNull();
      expect(await files.stat(at('f/none'))).toBeNull();
    });

    it('lists a folder by name, symlinks as such', async () => {
      const { files, folder, at } = await setUp();
      mkdirSync(at('b'));
      writeFileSync(at('a'), '');
      symlinkSync('a', at('c'));
      expect(await files.list(folder)).toEqual([
        { name: 'a', kind: 'file' },
        { name: 'b', kind: 'directory' },
        { name: 'c', kind: 'symlink' },
      ]);
      await expect(files.list(at('a'))).rejects.toMatchObject({ code: 'bad_input' });
    });

    it('removes a file once, and is content when it is gone', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('f'), '');
      await files.remove(at('f'));
      await files.remove(at('f'));
      expect(await files.stat(at('f'))).toBeNull();
    });
  });

  describe.skipIf(missing)('links and folders', () => {
    it('makes a symlink with exactly these bytes, also where a file or another symlink is', async () => {
      const { files, at } = await setUp();
      const odd = Buffer.from([0x6e, 0xff, 0x2e]);
      await files.makeLink(at('deep/link'), odd);
      expect(Buffer.from(await files.readLink(at('deep/link')))).toEqual(odd);
      writeFileSync(at('file'), 'x');
      await files.makeLink(at('file'), bytes('elsewhere'));
      await files.makeLink(at('file'), bytes('nowhere'));
      expect(Buffer.from(await files.readLink(at('file'))).toString()).toBe('nowhere');
      expect(readdirSync(path.dirname(at('file'))).sort()).toEqual(['deep', 'file']);
      expect(await files.stat(at('file'), { follow: false })).toMatchObject({ kind: 'symlink' });
      expect(await files.stat(at('file'))).toBeNull();
    });

    it('makes a folder with its mode, whatever the umask, and content when it is there', async () => {
      const { files, at } = await setUp();
      await files.makeFolder(at('a/b'), { mode: 0o1777 });
      await files.makeFolder(at('a/b'));
      expect(statSync(at('a/b')).mode & 0o7777).toBe(0o1777);
      writeFileSync(at('file'), 'x');
      await expect(files.makeFolder(at('file'))).rejects.toMatchObject({ code: 'bad_input' });
    });

    it('gives what is at a path itself in one look', async () => {
      const { files, folder, at } = await setUp();
      writeFileSync(at('file'), 'text');
      symlinkSync('file', at('link'));
      symlinkSync(folder, at('elsewhere'));
      const entry = async (name: string): Promise<unknown> => {
        const found = await files.entry(at(name));
        return found && { kind: found.stat.kind, text: String(found.bytes) };
      };
      expect(await entry('file')).toEqual({ kind: 'file', text: 'text' });
      expect(await entry('link')).toEqual({ kind: 'symlink', text: 'file' });
      expect(await entry('.')).toEqual({ kind: 'directory', text: '' });
      expect(await entry('none')).toBeNull();
      expect(await entry('elsewhere/file')).toBeNull();
    });

    it('removes a folder only when it is empty', async () => {
      const { files, at } = await setUp();
      await files.write(at('a/f'), bytes('x'));
      expect(await files.removeFolder(at('a'))).toBe(false);
      await files.remove(at('a/f'));
      expect(await files.removeFolder(at('a'))).toBe(true);
      expect(await files.removeFolder(at('a'))).toBe(true);
      writeFileSync(at('file'), 'x');
      await expect(files.removeFolder(at('file'))).rejects.toMatchObject({ code: 'bad_input' });
    });

    it('changes permissions, and says which file it could not', async () => {
      const { files, at } = await setUp();
      writeFileSync(at('f'), 'x');
      await files.setMode(at('f'), 0o700);
      expect(statSync(at('f')).mode & 0o7777).toBe(0o700);
      await expect(files.setMode(at('none'), 0o700)).rejects.toThrow(/none could not be given other permissions/);
    });
  });
});
