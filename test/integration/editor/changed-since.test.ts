import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileOperator } from '../../../src-main/operator/index.ts';
import { openDesk, type EditorDesk } from '../../fixtures/editor/desk.ts';

const view = (...view_range: number[]) => ({
  command: 'view',
  path: 'f',
  ...(view_range.length > 0 && { view_range }),
});
const replace = (old_str: string, new_str: string) => ({ command: 'str_replace', path: 'f', old_str, new_str });
const insert = { command: 'insert', path: 'f', insert_line: 0, insert_text: 'top' };
const overwrite = { command: 'create', path: 'f', file_text: 'all new\n', overwrite: true };
const undo = { command: 'undo_edit', path: 'f' };

/** A desk whose file the session has viewed. */
async function openViewed(text: string | Uint8Array): Promise<EditorDesk> {
  const desk = await openDesk();
  desk.put('f', text);
  await desk.edit(view());
  return desk;
}

describe('a file that changed on disk since the session last saw it', () => {
  it.each([
    ['str_replace', replace('two', '2')],
    ['insert', insert],
    ['create with overwrite', overwrite],
  ])(
    'is not written by %s, which tells what changed, and can be written by the same call then',
    async (_what, edit) => {
      const desk = await openViewed('one\ntwo\n');
      const file = desk.put('f', 'one\ntwo\nthree\n');
      const error: unknown = await desk.call(edit).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'conflict',
        message: `${file} was changed since you last saw it, so nothing was written.`,
        hint: expect.stringContaining('send it again as it was'),
      });
      expect(error).toMatchObject({
        hint: expect.stringContaining('--- as you last saw it\n+++ as it is now\n@@ -1,2 +1,3 @@\n one\n two\n+three'),
      });
      expect(desk.text('f')).toBe('one\ntwo\nthree\n');
      expect(desk.opened.history.list()).toEqual([]);
      await desk.edit(edit);
      expect(desk.opened.history.list()).toHaveLength(1);
    },
  );

  it('counts as seen after a view of any range, and after every edit and undo', async () => {
    const desk = await openDesk();
    await desk.edit({ command: 'create', path: 'f', file_text: 'one\ntwo\nthree\n' });
    await desk.edit(replace('one', '1'));
    await desk.edit(insert);
    await desk.edit(undo);
    await desk.edit(replace('two', '2'));
    desk.put('f', 'by hand\n');
    await desk.edit(view(1, 1));
    await desk.edit(replace('by hand', 'by machine'));
    for (const edits of [[replace('machine', 'x')], [insert], [overwrite], [{ ...insert, insert_text: 'x' }, undo]]) {
      for (const edit of edits) await desk.edit(edit);
      desk.put('f', `${desk.text('f')}more\n`);
      expect(await desk.fail(replace('more', 'less'))).toContain('was changed since you last saw it');
      desk.put('f', `machine\n`);
      await desk.edit(view());
    }
  });

  it('is no matter to a session that never saw it, nor to another caller', async () => {
    const desk = await openViewed('one\n');
    desk.put('f', 'two\n');
    await desk.call(replace('two', '3'), undefined, { sessionId: 'another' });
    await desk.call(replace('3', '4'), { kind: 'app', id: 'app', name: 'App' });
    expect(await desk.fail(replace('4', '5'))).toContain('-one\n+4');
  });

  it('is remembered from run to run of a session', async () => {
    const desk = await openViewed('one\n');
    desk.put('f', 'two\n');
    await expect(desk.call(replace('two', '3'), { kind: 'agent', runId: 'a later run' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('may have been written again with the same bytes, or have another mode', async () => {
    const desk = await openViewed('one\n');
    const file = desk.put('f', 'one\n');
    chmodSync(file, 0o600);
    await desk.edit(replace('one', 'two'));
    expect(desk.text('f')).toBe('two\n');
  });

  it('may be gone: it is made anew', async () => {
    const desk = await openViewed('one\n');
    rmSync(path.join(desk.folder, 'f'));
    await desk.edit({ command: 'create', path: 'f', file_text: 'new' });
    expect(desk.text('f')).toBe('new');
  });

  it('is told with spacing made visible where only spacing changed', async () => {
    const desk = await openViewed('if (x) {\n\treturn;\n}\n');
    desk.put('f', 'if (x) {\n    return;\r\n}\n');
    expect(await desk.fail(replace('x', 'y'))).toContain('-→return;\n+····return;␍\n');
  });

  it('is told by its encoding where only that changed', async () => {
    const desk = await openViewed('naïve\n');
    desk.put('f', Buffer.from('\uFEFFnaïve\n', 'utf16le'));
    expect(await desk.fail(replace('naïve', 'x'))).toContain('(U+FEFF)naïve');
  });

  it('is told in a bounded length', async () => {
    const desk = await openViewed(`${'short\n'.repeat(1000)}end\n`);
    desk.put('f', `${'other\n'.repeat(150)}${'x'.repeat(1000)}\nend\n`);
    expect((await desk.fail(replace('end', 'x'))).length).toBeLessThan(5000);
    desk.put('f', `${'1234567890\n'.repeat(150)}end\n`);
    expect(await desk.fail(replace('end', 'x'))).toMatch(/more lines of this diff|a diff would tell little/);
  });

  it('that is too large to keep is refused too, without a diff', async () => {
    const text = 'a line of text\n'.repeat(100_000);
    const desk = await openViewed(text);
    desk.put('f', `${text}end\n`);
    expect(await desk.fail(replace('text\nend', 'x'))).toContain('too large');
    await desk.edit(replace('text\nend', 'x'));
    await desk.edit(insert);
  });

  it('is told with what changed also when it changed between reading and writing', async () => {
    const desk = await openDesk();
    const file = desk.put('f', 'one\ntwo\n');
    const { files } = desk.opened.operator;
    const overtaken: FileOperator = {
      ...files,
      async read(...asked) {
        const bytes = await files.read(...asked);
        writeFileSync(file, 'one\ntwo\nthree\n');
        return bytes;
      },
    };
    const overtakenEdit = desk.call(replace('two', '2'), undefined, { files: overtaken });
    await expect(overtakenEdit).rejects.toMatchObject({ code: 'conflict', hint: expect.stringContaining('+three') });
    expect(desk.text('f')).toBe('one\ntwo\nthree\n');
    await desk.edit(replace('two', '2'));
  });
});
