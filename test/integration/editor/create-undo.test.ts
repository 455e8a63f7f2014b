import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DESKS } from '../../fixtures/editor/desk.ts';
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

    it('keeps the byte order mark of a file that it replaces, and adds none', async () => {
      const desk = await openDesk();
      desk.put('marked', '\ufeffold');
      desk.put('plain', 'old');
      for (const path of ['marked', 'plain']) {
        await desk.edit({ command: 'create', path, file_text: 'new', overwrite: true });
      }
      expect([desk.text('marked'), desk.text('plain')]).toEqual(['\ufeffnew', 'new']);
    });

    it('refuses a name that ends like that of a folder', async () => {
      const desk = await openDesk();
      expect(await desk.fail({ command: 'create', path: 'new/', file_text: 'x' })).toContain('names a folder');
      expect(readdirSync(desk.folder)).toEqual([]);
    });

    it('refuses half of a character, and says where it is', async () => {
      const desk = await openDesk();
      const told = await desk.fail({ command: 'create', path: 'f', file_text: '😀 \ud83d!' });
      expect(told).toContain('"file_text" holds half of a character (\\ud83d) at position 4.');
      expect(readdirSync(desk.folder)).toEqual([]);
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
