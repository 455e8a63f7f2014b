import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, appendFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toText } from '../../../src-shared/index.ts';
import { DESKS, type EditorDesk } from '../../fixtures/editor/desk.ts';

/** The smallest PNG: one transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const view = (name: string, ...view_range: number[]) => ({
  command: 'view',
  path: name,
  ...(view_range.length > 0 && { view_range }),
});

describe.each(DESKS)('through $name', ({ missing, openDesk }) => {
  describe.skipIf(missing)('view of a file', () => {
    it('numbers its lines as cat -n does', async () => {
      const desk = await openDesk();
      desk.put('f', 'one\n\ttwo\n\nfour\n');
      expect(await desk.edit(view('f'))).toBe('     1\tone\n     2\t\ttwo\n     3\t\n     4\tfour');
      desk.put('f', '\uFEFFone\r\ntwo');
      expect(await desk.edit(view('f'))).toBe('     1\tone\n     2\ttwo');
    });

    it('says when it is empty', async () => {
      const desk = await openDesk();
      const file = desk.put('f', '');
      expect(await desk.edit(view('f'))).toBe(`${file} is empty.`);
    });

    it.each([
      [[2, 3], '     2\tl2\n     3\tl3\n[Shown are lines 2 to 3; more lines follow.]'],
      [[4, -1], '     4\tl4\n     5\tl5\n[Shown are lines 4 to 5; the file has 5 lines.]'],
      [[4, 99], '     4\tl4\n     5\tl5\n[Shown are lines 4 to 5; the file has 5 lines.]'],
      [[-2, -1], '     4\tl4\n     5\tl5\n[Shown are lines 4 to 5; the file has 5 lines.]'],
      [[0, 1], '     1\tl1\n[Shown are lines 1 to 1; more lines follow.]'],
      [[50, 60], '     5\tl5\n[Shown are lines 5 to 5; the file has 5 lines.]'],
      [[-99, 1], '     1\tl1\n[Shown are lines 1 to 1; more lines follow.]'],
      [[1, 5], '     1\tl1\n     2\tl2\n     3\tl3\n     4\tl4\n     5\tl5'],
    ])('with the range %j shows these lines, kept within the file', async (range, shown) => {
      const desk = await openDesk();
      desk.put('f', 'l1\nl2\nl3\nl4\nl5\n');
      expect(await desk.edit(view('f', ...range))).toBe(shown);
      desk.put('f', 'l1\nl2\nl3\nl4\nl5');
      expect(await desk.edit(view('f', ...range))).toBe(shown);
    });

    it('refuses a range that ends before it begins, or is not two numbers', async () => {
      const desk = await openDesk();
      desk.put('f', 'a\nb\nc\n');
      expect(await desk.fail(view('f', 3, 2))).toContain('ends before it begins');
      await expect((async () => desk.call(view('f', 3)))()).rejects.toMatchObject({ code: 'bad_input' });
    });

    it('reaches any line of a file of a gigabyte without holding it', async () => {
      const desk = await openDesk();
      const file = desk.put('big.log', 'first line\n');
      const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index + 2} ${'.'.repeat(30)}`);
      appendFileSync(file, `${lines.join('\n')}\n`);
      expect(await desk.edit(view('big.log', 150_000, 150_001))).toContain('150000\tline 150000 ...');
      expect(await desk.edit(view('big.log', -1, -1))).toContain('200001\tline 200001 ...');
      // A hole: the file says it is a gigabyte long and takes no room; it holds NUL only behind the text.
      truncateSync(file, 2 ** 30);
      expect(await desk.edit(view('big.log', 200_001, 200_001))).toContain('200001\tline 200001 ...');
      expect(await desk.edit(view('big.log', 1, 1))).toContain('     1\tfirst line');
    });

    it('of many lines stops at what one view holds, and says how to go on', async () => {
      const desk = await openDesk();
      desk.put('f', 'x'.repeat(99).concat('\n').repeat(20_000));
      const result = await desk.call(view('f'));
      expect(result.system).toContain('Go on with view_range [10486, -1]');
    });

    it('cuts a line that is too long to show', async () => {
      const desk = await openDesk();
      desk.put('f', 'y'.repeat(5000));
      expect(await desk.edit(view('f'))).toContain('[… 3000 more characters in this line]');
    });

    it('of one line longer than a view says so, and how to see more of it, and never to view the same again', async () => {
      const desk = await openDesk();
      const file = desk.put("it's long", 'y'.repeat(3_000_000));
      const result = await desk.call(view("it's long"));
      expect(toText(result)).toMatch(/^ +1\ty{2000} \[… over \d+ more characters in this line\]$/m);
      expect(result.system).toMatch(/^Line 1 is longer than what one view holds.+view_range \[2, -1\]\./);
      const [command] = /sed .+/.exec(result.system ?? '') ?? [];
      expect(command).toContain('it');
      expect(execFileSync('bash', ['-c', command ?? '']).toString()).toBe(`${'y'.repeat(2000)}\n`);
      appendFileSync(file, '\nnext\n');
      expect((await desk.call(view("it's long"))).system).toContain('view_range [2, -1]');
      expect(await desk.edit(view("it's long", 2, -1))).toContain('     2\tnext');
    });

    it('goes on behind a line with which a view is just full', async () => {
      const desk = await openDesk();
      desk.put('f', `${'y'.repeat(1024 * 1024 - 1)}\nnext\n`);
      expect((await desk.call(view('f'))).system).toContain('Go on with view_range [2, -1]');
    });

    it('after an edit far out in a long line shows that place', async () => {
      const desk = await openDesk();
      desk.put('f', `above\n${'ä'.repeat(20_000)}here${'ö'.repeat(50_000)}\nbelow\n`);
      const told = await desk.edit({ command: 'str_replace', path: 'f', old_str: 'here', new_str: 'there' });
      expect(told).toMatch(
        /^ +1\tabove\n +2\t\[… more of this line\] ä{200}thereö+ \[… \d+ more characters in this line\]/m,
      );
    });

    it('with long lines in it says how to see more of them', async () => {
      const desk = await openDesk();
      const file = desk.put('f', `short\n${'y'.repeat(5000)}\n`);
      expect((await desk.call(view('f'))).system).toBe(
        `Lines are shown up to character 2000. For more of one use the shell, for example: sed -n '2p' '${file}' | cut -b 2001-4000`,
      );
      desk.put('wide', Buffer.from(`\uFEFF${'y'.repeat(5000)}`, 'utf16le'));
      expect((await desk.call(view('wide'))).system).toContain('read the file with a program');
    });

    it('shows images as images, and names binary files', async () => {
      const desk = await openDesk();
      desk.put('picture', PNG);
      const { content } = await desk.call(view('picture'));
      expect(content).toEqual([{ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' }]);
      const file = desk.put('blob', Buffer.from([1, 0, 2]));
      expect(await desk.edit(view('blob'))).toBe(`${file} is a binary file of 3 bytes; there is no text to show.`);
    });

    it('gives a PDF document as a document, and says in words what it is', async () => {
      const desk = await openDesk();
      const bytes = Buffer.from('%PDF-1.4\n1 0 obj << /Count 3 /Kids [2 0 R] /Type /Pages >> endobj');
      const file = desk.put('Ünïcode report.pdf', bytes);
      const { content } = await desk.call(view('Ünïcode report.pdf'));
      expect(content).toEqual([
        { type: 'text', text: expect.stringContaining(`${file} is a PDF document of 3 pages, ${bytes.length} bytes.`) },
        {
          type: 'resource',
          resource: { uri: pathToFileURL(file).href, mimeType: 'application/pdf', blob: bytes.toString('base64') },
        },
      ]);
      desk.put('odd.pdf', '%PDF-1.7 ...');
      expect(await desk.edit(view('odd.pdf'))).toContain('is a PDF document of 12 bytes');
    });

    it('names a PDF document that is too large to pass on', async () => {
      const desk = await openDesk();
      truncateSync(desk.put('large.pdf', '%PDF-1.7'), 11 * 1024 * 1024);
      const { content } = await desk.call(view('large.pdf'));
      expect(content).toEqual([{ type: 'text', text: expect.stringContaining('too large to pass on') }]);
    });

    it('that is not there names the nearest ones', async () => {
      const desk = await openDesk();
      desk.put('src/index.ts', '');
      expect(await desk.fail(view('src/indx.ts'))).toContain('"index.ts"');
      expect(await desk.fail(view('nowhere/at/all'))).toContain('There is nothing at');
    });
  });

  describe.skipIf(missing)('view of a folder', () => {
    async function withTree(): Promise<EditorDesk> {
      const desk = await openDesk();
      for (const name of [
        'README.md',
        'src/index.ts',
        'src/lib/deep.ts',
        '.env',
        'node_modules/x/index.js',
        'src/.cache/a',
      ]) {
        desk.put(name, '');
      }
      return desk;
    }

    it('shows two levels, hidden entries and node_modules left out and counted', async () => {
      const desk = await withTree();
      symlinkSync('README.md', path.join(desk.folder, 'link'));
      expect(await desk.edit(view('.'))).toBe(
        [
          `${desk.folder}/`,
          'README.md',
          'link@',
          'src/',
          'src/index.ts',
          'src/lib/',
          '[Left out: 2 hidden, 1 ignored (node_modules, .gitignore).]',
        ].join('\n'),
      );
    });

    it('leaves out what git ignores, by rules of this folder, above and below', async () => {
      const desk = await withTree();
      mkdirSync(path.join(desk.folder, '.git'));
      desk.put('.gitignore', '*.log\nbuild/\n');
      for (const name of ['a.log', 'build/out', 'src/b.log', 'src/keep.log', 'src/secret.ts']) desk.put(name, '');
      desk.put('src/.gitignore', 'secret.ts\n!keep.log\n');
      expect(await desk.edit(view('src'))).toBe(
        [
          `${desk.folder}/src/`,
          'index.ts',
          'keep.log',
          'lib/',
          'lib/deep.ts',
          '[Left out: 2 hidden, 2 ignored (node_modules, .gitignore).]',
        ].join('\n'),
      );
      const root = await desk.edit(view('.'));
      expect(root).toContain('src/keep.log');
      for (const hidden of ['a.log', 'build', 'src/b.log', 'secret']) expect(root).not.toContain(hidden);
    });

    it('shows an ignored folder to whoever asks for it', async () => {
      const desk = await openDesk();
      mkdirSync(path.join(desk.folder, '.git'));
      desk.put('.gitignore', 'dist/\n');
      desk.put('dist/bundle.js', '');
      expect(await desk.edit(view('dist'))).toContain('bundle.js');
    });

    it('counts what found no room, and says when there is nothing', async () => {
      const desk = await openDesk();
      for (let index = 0; index < 1010; index += 1) desk.put(`f${index}`, '');
      expect(await desk.edit(view('.'))).toContain('10 beyond the first 1000');
      mkdirSync(path.join(desk.folder, 'f-empty'));
      expect(await desk.edit(view('f-empty'))).toContain('is an empty folder');
    });

    it('has no lines', async () => {
      const desk = await withTree();
      expect(await desk.fail(view('src', 1, 2))).toContain('is a folder');
    });
  });
});
