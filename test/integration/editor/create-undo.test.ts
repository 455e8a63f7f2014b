import iconv from 'iconv-lite';
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toText } from '../../../src-shared/index.ts';
import { DESKS } from '../../fixtures/editor/desk.ts';
import { agentActor } from '../../fixtures/history/open.ts';
import { temporaryFolder } from '../../fixtures/temporary.ts';

describe.each(DESKS)('through $name', ({ kind, missing, openDesk }) => {
  describe.skipIf(missing)('create', () => {
    it('makes a file with its parent folders, exactly as given', async () => {
      const desk = await openDesk();
      const result = await desk.call({ command: 'create', path: 'a/b/c.txt', file_text: 'one\r\n\ttwo' });
      const file = path.join(desk.folder, 'a/b/c.txt');
      expect(desk.text('a/b/c.txt')).toBe('one\r\n\ttwo');
      expect(result.structuredContent).toMatchObject({ path: file, added: 2, removed: 0, line: 1 });
    });

    it('makes parent folders that go with the file when it is taken back, unless something else is in them', async () => {
      const desk = await openDesk();
      desk.put('there/x', '');
      await desk.edit({ command: 'create', path: 'there/a/b/c.txt', file_text: 'one' });
      await desk.edit({ command: 'undo_edit', path: 'there/a/b/c.txt' });
      expect(readdirSync(path.join(desk.folder, 'there'))).toEqual(['x']);
      await desk.edit({ command: 'create', path: 'there/a/b/c.txt', file_text: 'one' });
      desk.put('there/a/mine', '');
      await desk.edit({ command: 'undo_edit', path: 'there/a/b/c.txt' });
      expect(readdirSync(path.join(desk.folder, 'there/a'))).toEqual(['mine']);
    });

    it('makes an empty file, but needs to be told so', async () => {
      const desk = await openDesk();
      await desk.edit({ command: 'create', path: 'empty', file_text: '' });
      expect(desk.text('empty')).toBe('');
      expect(await desk.fail({ command: 'create', path: 'other' })).toContain('"file_text" is missing');
    });

    it('refuses an existing file, unless told to overwrite; then the old bytes can be had back', async () => {
      const desk = await openDesk();
      desk.put('f', 'precious');
      const create = { command: 'create', path: 'f', file_text: 'new' };
      expect(await desk.fail(create)).toContain('exists already');
      expect(desk.text('f')).toBe('precious');
      await desk.edit({ ...create, overwrite: true });
      expect(desk.text('f')).toBe('new');
      expect(await desk.fail({ ...create, overwrite: true })).toContain('nothing would change');
      await desk.edit({ command: 'undo_edit', path: 'f' });
      expect(desk.text('f')).toBe('precious');
    });

    it('keeps encoding and byte order mark of the file that it replaces, and says so', async () => {
      const desk = await openDesk();
      const overwrite = (file_text: string) => desk.edit({ command: 'create', path: 'f', file_text, overwrite: true });
      desk.put('f', '\uFEFFold\r\n');
      expect(await overwrite('new ä\n')).toContain('in UTF-8 with a byte order mark as before.');
      expect(desk.text('f')).toBe('\uFEFFnew ä\n');
      await overwrite('\uFEFFonce\n');
      expect(desk.text('f')).toBe('\uFEFFonce\n');
      desk.put('f', Buffer.from('\uFEFFold', 'utf16le'));
      await desk.edit({ command: 'view', path: 'f' });
      await overwrite('new');
      expect(desk.bytes('f')).toEqual(Buffer.from('\uFEFFnew', 'utf16le'));
      await desk.edit({ command: 'undo_edit', path: 'f' });
      expect(desk.bytes('f')).toEqual(Buffer.from('\uFEFFold', 'utf16le'));
    });

    it('keeps an old encoding as well, or makes the file UTF-8 where that can not be, and says so', async () => {
      const desk = await openDesk();
      const cyrillic = iconv.encode('// Это тестовый файл, настройки программы\n', 'windows-1251');
      desk.put('f', cyrillic);
      const create = { command: 'create', path: 'f', overwrite: true };
      const text = '// Другой файл: название города, в котором мы живём\n';
      expect(await desk.edit({ ...create, file_text: text })).toContain('in windows-1251 as before.');
      expect(desk.bytes('f')).toEqual(iconv.encode(text, 'windows-1251'));
      expect(await desk.edit({ ...create, file_text: '文件' })).toContain(
        'in UTF-8 now: windows-1251, in which it was, lacks',
      );
      expect(desk.text('f')).toBe('文件');
      // Of a word alone nobody could tell.
      desk.put('f', cyrillic);
      await desk.edit({ command: 'view', path: 'f' });
      expect(await desk.edit({ ...create, file_text: 'Мир' })).toContain('of which so short a text would not be known');
      expect(desk.text('f')).toBe('Мир');
      desk.put('blob', Buffer.from([1, 0, 2]));
      await desk.edit({ ...create, path: 'blob', file_text: 'ä' });
      expect(desk.text('blob')).toBe('ä');
    });

    it('refuses a name that only a folder can have', async () => {
      const desk = await openDesk();
      desk.put('there', 'x');
      for (const name of ['new/', 'new/.', 'in/new//', 'there/', `${desk.folder}/new/`]) {
        const told = await desk.fail({ command: 'create', path: name, file_text: 'x', overwrite: true });
        expect(told).toContain(`"${name}" names a folder, and create makes files.`);
      }
      expect(readdirSync(desk.folder)).toEqual(['there']);
      expect(desk.text('there')).toBe('x');
      await desk.edit({ command: 'create', path: 'in/./new', file_text: 'x' });
      expect(desk.text('in/new')).toBe('x');
    });

    it('refuses a folder', async () => {
      const desk = await openDesk();
      desk.put('folder/x', '');
      expect(await desk.fail({ command: 'create', path: 'folder', file_text: 'x', overwrite: true })).toContain(
        'is a folder',
      );
    });

    it.runIf(kind === 'local')('writes where a symlink leads, and says so', async () => {
      const desk = await openDesk();
      const outside = temporaryFolder();
      symlinkSync(outside, path.join(desk.folder, 'door'));
      const text = await desk.edit({ command: 'create', path: 'door/f', file_text: 'x' });
      expect(text).toContain(path.join(outside, 'f'));
      expect(readFileSync(path.join(outside, 'f'), 'utf8')).toBe('x');
    });

    it.skipIf(kind === 'local')('refuses where a symlink leads out of the workspace', async () => {
      const desk = await openDesk();
      const outside = temporaryFolder();
      symlinkSync(outside, path.join(desk.folder, 'door'));
      const told = await desk.fail({ command: 'create', path: 'door/f', file_text: 'x' });
      expect(told).toContain(`${path.join(outside, 'f')} is outside of the workspace`);
      expect(existsSync(path.join(outside, 'f'))).toBe(false);
    });
  });

  describe.skipIf(missing)('undo_edit', () => {
    it('takes back one edit after the other, down to the file that was not there', async () => {
      const desk = await openDesk();
      await desk.edit({ command: 'create', path: 'f', file_text: 'one\ntwo\nthree\n' });
      await desk.edit({ command: 'str_replace', path: 'f', old_str: 'two', new_str: '2' });
      await desk.edit({ command: 'insert', path: 'f', insert_line: 3, insert_text: 'four' });
      const first = await desk.call({ command: 'undo_edit', path: 'f' });
      expect(first.structuredContent).toMatchObject({ added: 0, removed: 1 });
      expect(desk.text('f')).toBe('one\n2\nthree\n');
      expect(await desk.edit({ command: 'undo_edit', path: 'f' })).toContain('     2\ttwo');
      expect(await desk.edit({ command: 'undo_edit', path: 'f' })).toContain('gone again');
      expect(existsSync(path.join(desk.folder, 'f'))).toBe(false);
      expect(await desk.fail({ command: 'undo_edit', path: 'f' })).toContain('There is no edit');
    });

    it('follows a symlink as the other commands do, and speaks of the file that was changed', async () => {
      const desk = await openDesk();
      const file = desk.put('in/file', 'one\ntwo\n');
      symlinkSync('in/file', path.join(desk.folder, 'link'));
      symlinkSync('in', path.join(desk.folder, 'way'));
      await desk.edit({ command: 'str_replace', path: 'link', old_str: 'two', new_str: '2' });
      const result = await desk.call({ command: 'undo_edit', path: 'link' });
      expect(toText(result)).toMatch(new RegExp(`^Took back edit \\d+ of ${file} .+\n +1\tone\n +2\ttwo$`, 's'));
      expect(result.structuredContent).toMatchObject({ path: file });
      expect(lstatSync(path.join(desk.folder, 'link')).isSymbolicLink()).toBe(true);
      await desk.edit({ command: 'insert', path: 'way/file', insert_line: 0, insert_text: 'zero' });
      await desk.edit({ command: 'undo_edit', path: 'link' });
      expect(desk.text('in/file')).toBe('one\ntwo\n');
      expect(await desk.fail({ command: 'undo_edit', path: 'link' })).toContain(`There is no edit of ${file} that`);
    });

    it('takes back a symlink that a command made, and one that it removed, and says what is there', async () => {
      const desk = await openDesk();
      desk.put('file', 'one');
      const link = path.join(desk.folder, 'link');
      const entry = { type: 'symlink' as const, bytes: Buffer.from('file'), mode: null };
      const command = { path: link, actor: agentActor, since: 0 };
      symlinkSync('file', link);
      await desk.opened.history.observe([{ ...command, before: null, after: entry }]);
      expect(await desk.edit({ command: 'undo_edit', path: 'link' })).toMatch(/of .+\/link .+gone again/);
      expect(existsSync(link)).toBe(false);
      symlinkSync('file', link);
      await desk.opened.history.observe([{ ...command, before: null, after: entry }]);
      rmSync(link);
      await desk.opened.history.observe([{ ...command, before: entry, after: null }]);
      expect(await desk.edit({ command: 'undo_edit', path: 'link' })).toContain('There is a symlink as before.');
      expect(desk.text('link')).toBe('one');
    });

    it('brings a folder back', async () => {
      const desk = await openDesk();
      const folder = { type: 'folder' as const, bytes: new Uint8Array(0), mode: 0o755 };
      const gone = { path: path.join(desk.folder, 'in'), before: folder, after: null, actor: agentActor, since: 0 };
      await desk.opened.history.observe([gone]);
      expect(await desk.edit({ command: 'undo_edit', path: 'in' })).toContain('There is a folder as before.');
      expect(readdirSync(desk.folder)).toEqual(['in']);
    });

    it('refuses when the file was changed by somebody else since', async () => {
      const desk = await openDesk();
      await desk.edit({ command: 'create', path: 'f', file_text: 'one' });
      desk.put('f', 'by hand');
      expect(await desk.fail({ command: 'undo_edit', path: 'f' })).toContain('was changed since');
      expect(desk.text('f')).toBe('by hand');
    });

    it('gives another app its own edits only', async () => {
      const desk = await openDesk();
      const app = (id: string) => ({ kind: 'app' as const, id, name: id });
      await desk.edit({ command: 'create', path: 'f', file_text: 'by the agent' });
      const undo = { command: 'undo_edit', path: 'f' };
      await expect(desk.call(undo, app('a'))).rejects.toMatchObject({ code: 'not_found' });
      await desk.call({ command: 'str_replace', path: 'f', old_str: 'agent', new_str: 'app' }, app('a'));
      await expect(desk.call(undo, app('b'))).rejects.toMatchObject({ code: 'not_found' });
      await desk.call(undo, app('a'));
      expect(desk.text('f')).toBe('by the agent');
    });
  });
});
