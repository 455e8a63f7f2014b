import { describe, expect, it } from 'vitest';
import { DESKS } from '../../fixtures/editor/desk.ts';

const replace = (old_str: string, new_str: string) => ({ command: 'str_replace', path: 'f', old_str, new_str });

describe.each(DESKS)('through $name', ({ missing, openDesk }) => {
  describe.skipIf(missing)('str_replace', () => {
    it('replaces the one place and shows four numbered lines around it', async () => {
      const desk = await openDesk();
      const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
      const file = desk.put('f', `${lines.join('\n')}\n`);
      const result = await desk.call(replace('line 10\n', 'ten\nand a half\n'));
      const [edit] = desk.opened.history.list();
      expect(result.content).toEqual([
        {
          type: 'text',
          text: [
            `Replaced at line 10 of ${file} (edit ${edit?.id}, +2 -1 lines). The lines around it now:`,
            '     6\tline 6',
            '     7\tline 7',
            '     8\tline 8',
            '     9\tline 9',
            '    10\tten',
            '    11\tand a half',
            '    12\tline 11',
            '    13\tline 12',
            '    14\tline 13',
            '    15\tline 14',
          ].join('\n'),
        },
      ]);
      expect(result.structuredContent).toEqual({ path: file, editId: edit?.id, added: 2, removed: 1, line: 10 });
      expect(desk.text('f')).toBe(`${lines.join('\n')}\n`.replace('line 10\n', 'ten\nand a half\n'));
    });

    it('refuses a text that occurs more than once, with the line of every match', async () => {
      const desk = await openDesk();
      desk.put('f', 'x = 1\ny = 2\nx = 1\n');
      expect(await desk.fail(replace('x = 1', 'x = 2'))).toContain('occurs 2 times');
      expect(await desk.fail(replace('x = 1', 'x = 2'))).toContain('in lines 1, 3.');
      expect(desk.text('f')).toBe('x = 1\ny = 2\nx = 1\n');
      expect(desk.opened.history.list()).toEqual([]);
    });

    it('counts matches of several lines and overlapping ones', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\na\na\nb\n');
      expect(await desk.fail(replace('a\na', 'c'))).toContain('in lines 1, 2.');
      desk.put('f', 'aaa\n');
      expect(await desk.fail(replace('aa', 'c'))).toContain('in lines 1, 1.');
      desk.put('f', 'x\r\n\r\n\r\ny');
      expect(await desk.fail(replace('\n\n', '\n'))).toContain('in lines 1, 2.');
    });

    it('does not list more matches than anybody reads', async () => {
      const desk = await openDesk();
      desk.put('f', 'x\n'.repeat(5000));
      expect(await desk.fail(replace('x', 'y'))).toContain('more than 100 times');
    });

    it('tells an empty text from an absent one', async () => {
      const desk = await openDesk();
      desk.put('f', 'keep this\n');
      await desk.edit(replace('this', ''));
      expect(desk.text('f')).toBe('keep \n');
      expect(await desk.fail({ command: 'str_replace', path: 'f', old_str: 'keep' })).toContain('"new_str" is missing');
      expect(await desk.fail({ command: 'str_replace', path: 'f', new_str: '' })).toContain('"old_str" is missing');
      expect(await desk.fail(replace('', 'x'))).toContain('old_str is empty');
    });

    it('says that equal texts change nothing', async () => {
      const desk = await openDesk();
      desk.put('f', 'same');
      expect(await desk.fail(replace('same', 'same'))).toContain('nothing would change');
    });

    it('names what is missing, a folder, or binary', async () => {
      const desk = await openDesk();
      expect(await desk.fail(replace('a', 'b'))).toContain('There is no file');
      desk.put('folder/x', '');
      expect(await desk.fail({ ...replace('a', 'b'), path: 'folder' })).toContain('is a folder');
      desk.put('f', Buffer.from([0x61, 0, 0x61]));
      expect(await desk.fail(replace('a', 'b'))).toContain('is a binary file');
    });

    it('goes through a symlink, and works on odd names', async () => {
      const desk = await openDesk();
      for (const name of ['with space', 'quo\'te"s', '$(touch x)', '名前 ñ 🙂']) {
        desk.put(name, 'old');
        await desk.edit({ command: 'str_replace', path: name, old_str: 'old', new_str: 'new' });
        expect(desk.text(name)).toBe('new');
      }
    });
  });

  describe.skipIf(missing)('a text that is not there', () => {
    it('is answered with the nearest lines, tabs and spaces made visible', async () => {
      const desk = await openDesk();
      desk.put('f', 'first\nif (x) {\n\treturn 1;\n}\n');
      const message = await desk.fail(replace('if (x) {\n    return 1;\n}', 'y'));
      expect(message).toContain('does not occur');
      expect(message).toContain('begins in line 2');
      expect(message).toContain('line 3:  ⟦→⟧return 1;');
      expect(message).toContain('old_str: ⟦····⟧return 1;');
    });

    it('is answered with the code points of look-alike characters', async () => {
      const desk = await openDesk();
      desk.put('f', 'print(\u201chello\u201d)\nnon\u00a0breaking space\n');
      expect(await desk.fail(replace('print("hello")', 'y'))).toContain('⟦“(U+201C)hello”(U+201D)⟧');
      expect(await desk.fail(replace('non breaking space', 'y'))).toContain('⟦(U+00A0)⟧');
    });

    it('is answered with the likeliest line where no line is quite the same', async () => {
      const desk = await openDesk();
      desk.put('f', 'alpha beta\nthe quick brown fox jumps\ngamma delta\n');
      expect(await desk.fail(replace('the quick brown fox jumped', 'y'))).toContain(
        'line 2:  the quick brown fox jump⟦s⟧',
      );
    });

    it('shows carriage returns in the middle of a line', async () => {
      const desk = await openDesk();
      desk.put('f', 'one\rtwo three\n');
      expect(await desk.fail(replace('one two three', 'y'))).toContain('one⟦␍⟧two three');
    });

    it('is told to leave out the line numbers of a view', async () => {
      const desk = await openDesk();
      desk.put('f', 'hello\nworld\n');
      expect(await desk.fail(replace('     1\thello\n     2\tworld', 'y'))).toContain('line numbers');
    });

    it('is plainly missing when nothing is alike', async () => {
      const desk = await openDesk();
      desk.put('f', 'abc\n');
      expect(await desk.fail(replace('something else entirely', 'y'))).toContain('Nothing in the file comes near it');
    });
  });
});
