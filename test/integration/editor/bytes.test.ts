import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DESKS } from '../../fixtures/editor/desk.ts';

const replace = (old_str: string, new_str: string) => ({ command: 'str_replace', path: 'f', old_str, new_str });
const insert = (insert_line: number, insert_text: string) => ({
  command: 'insert',
  path: 'f',
  insert_line,
  insert_text,
});

describe.each(DESKS)('through $name', ({ missing, openDesk }) => {
  describe.skipIf(missing)('what was not edited', () => {
    it.each([
      ['tabs and trailing spaces', '\tone  \n\ttwo\t\n', 'two', 'TWO', '\tone  \n\tTWO\t\n'],
      ['a missing last line end', 'one\ntwo', 'one', 'ONE', 'ONE\ntwo'],
      ['a byte order mark', '\uFEFFone\ntwo\n', 'two', 'TWO', '\uFEFFone\nTWO\n'],
      ['CRLF', 'one\r\ntwo\r\n', 'two', 'TWO', 'one\r\nTWO\r\n'],
      ['mixed line ends', 'a\r\nb\nc\rd\r\n', 'b', 'B', 'a\r\nB\nc\rd\r\n'],
      ['line separators of other kinds', 'a\u2028b\u0085c\fd\n', 'c', 'C', 'a\u2028b\u0085C\fd\n'],
    ])('stays: %s', async (_what, before, old, young, after) => {
      const desk = await openDesk();
      desk.put('f', before);
      await desk.edit(replace(old, young));
      expect(desk.text('f')).toBe(after);
    });

    it('stays in UTF-16, either way round', async () => {
      for (const swap of [false, true]) {
        const desk = await openDesk();
        const encode = (text: string): Buffer => {
          const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
          return swap ? bytes.swap16() : bytes;
        };
        desk.put('f', encode('first\r\nzwei ä\r\ndrei\r\n'));
        const shown = await desk.edit(replace('zwei ä\ndrei', 'zwei ö\n三\ndrei'));
        expect(desk.bytes('f')).toEqual(encode('first\r\nzwei ö\r\n三\r\ndrei\r\n'));
        expect(shown).toContain('     2\tzwei ö\n     3\t三');
        await desk.edit(insert(1, 'between'));
        expect(desk.bytes('f')).toEqual(encode('first\r\nbetween\r\nzwei ö\r\n三\r\ndrei\r\n'));
        await desk.edit({ command: 'undo_edit', path: 'f' });
        await desk.edit({ command: 'undo_edit', path: 'f' });
        expect(desk.bytes('f')).toEqual(encode('first\r\nzwei ä\r\ndrei\r\n'));
      }
    });

    it('is not found half a UTF-16 unit off', async () => {
      const desk = await openDesk();
      // U+6100 U+6200 holds the bytes of "ab" shifted by one.
      desk.put('f', Buffer.from('\uFEFF\u6100\u6200\u0000', 'utf16le'));
      expect(await desk.fail(replace('a', 'x'))).toContain('does not occur');
    });

    it('stays in Latin-1, and what that lacks is refused', async () => {
      const desk = await openDesk();
      desk.put('f', Buffer.from('caf\u00e9 = 1\nna\u00efve = 2\n', 'latin1'));
      await desk.edit(replace('café = 1', 'thé = 3'));
      expect(desk.bytes('f')).toEqual(Buffer.from('th\u00e9 = 3\nna\u00efve = 2\n', 'latin1'));
      expect(await desk.fail(replace('thé', '茶'))).toContain('no character "茶"');
    });

    it('stays, whatever the bytes: all but the replaced ones are as they were', async () => {
      const bytes = fc.uint8Array({ maxLength: 40 }).map((value) => Buffer.from(value.map((byte) => byte || 1)));
      const desk = await openDesk();
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(bytes, bytes, async (head, tail) => {
          runs += 1;
          const path = `f${runs}`;
          desk.put(path, Buffer.concat([Buffer.from('plain '), head, Buffer.from('NEEDLE'), tail]));
          await desk.edit({ ...replace('NEEDLE', 'thread'), path });
          expect(desk.bytes(path)).toEqual(Buffer.concat([Buffer.from('plain '), head, Buffer.from('thread'), tail]));
        }),
        { numRuns: 50 },
      );
    });
  });

  describe.skipIf(missing)('line ends', () => {
    it('given as \\n match CRLF, and the replacement takes the file’s', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\r\nb\r\nc\r\n');
      await desk.edit(replace('a\nb\n', 'A\nB\nB2\n'));
      expect(desk.text('f')).toBe('A\r\nB\r\nB2\r\nc\r\n');
    });

    it('of lines that stay the same inside a replacement stay too', async () => {
      const desk = await openDesk();
      desk.put('f', 'keep\r\nold\nkeep2\r\nkeep3\n');
      await desk.edit(replace('keep\nold\nkeep2\nkeep3', 'keep\nnew\nkeep2\nkeep3'));
      expect(desk.text('f')).toBe('keep\r\nnew\nkeep2\r\nkeep3\n');
    });

    it('are taken as written by whoever writes carriage returns', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\r\nb\r\nc\n');
      await desk.edit(replace('a\r\nb', 'a\nb'));
      expect(desk.text('f')).toBe('a\nb\r\nc\n');
      expect(await desk.fail(replace('b\r\nc\r\n', 'x'))).toContain('does not occur');
    });

    it('at the edges of a replacement belong to it', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\r\n\r\nb\r\n');
      await desk.edit(replace('a\n\nb', 'a\nb'));
      expect(desk.text('f')).toBe('a\r\nb\r\n');
      await desk.edit(replace('\nb', ''));
      expect(desk.text('f')).toBe('a\r\n');
    });
  });

  describe.skipIf(missing)('insert', () => {
    it.each([
      [0, 'new', 'a\nb\n', 'new\na\nb\n'],
      [1, 'new', 'a\nb\n', 'a\nnew\nb\n'],
      [2, 'new\n', 'a\nb\n', 'a\nb\nnew\n'],
      [2, 'new', 'a\nb', 'a\nb\nnew'],
      [1, 'x\ny', 'a\r\nb\r\n', 'a\r\nx\r\ny\r\nb\r\n'],
      [0, 'new', '', 'new\n'],
      [1, '', 'a\nb\n', 'a\n\nb\n'],
      [0, 'new', '\uFEFFa\n', '\uFEFFnew\na\n'],
    ])('after line %i puts %j as lines of its own', async (line, text, before, after) => {
      const desk = await openDesk();
      desk.put('f', before);
      await desk.edit(insert(line, text));
      expect(desk.text('f')).toBe(after);
    });

    it('shows the new lines with their numbers', async () => {
      const desk = await openDesk();
      const file = desk.put('f', 'a\nb\nc\n');
      const result = await desk.call(insert(1, 'x\ny'));
      expect(result.structuredContent).toMatchObject({ path: file, line: 2, added: 2, removed: 0 });
      expect(result.content[0]).toMatchObject({
        text: expect.stringContaining('     1\ta\n     2\tx\n     3\ty\n     4\tb\n     5\tc'),
      });
    });

    it('takes new_str for insert_text, and needs one of them', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\n');
      await desk.edit({ command: 'insert', path: 'f', insert_line: 1, new_str: 'b' });
      expect(desk.text('f')).toBe('a\nb\n');
      expect(await desk.fail({ command: 'insert', path: 'f', insert_line: 1 })).toContain('missing');
      expect(await desk.fail({ command: 'insert', path: 'f', insert_text: 'x' })).toContain('"insert_line" is missing');
    });

    it('refuses a line that is not there', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\nb\n');
      expect(await desk.fail(insert(3, 'x'))).toContain('has 2 lines');
      desk.put('f', 'a\nb');
      expect(await desk.fail(insert(3, 'x'))).toContain('has 2 lines');
    });
  });
});
