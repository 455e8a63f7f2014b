import iconv from 'iconv-lite';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDesk } from '../../fixtures/editor/desk.ts';

const replace = (old_str: string, new_str: string) => ({ command: 'str_replace', path: 'f', old_str, new_str });
const view = { command: 'view', path: 'f' };

const FILES = [
  ['gbk', '// 这是一个用来测试的文件，里面有一些常用的汉字\r\nname = "北京"\t\r\n', '北京', '上海'],
  ['big5', '// 這是一個用來測試的檔案，裡面有一些常用的漢字\nname = "台北"\n', '台北', '高雄'],
  ['cp932', '// これはテスト用のファイルです。表示と設定\nname = "東京"\n', '東京', '大阪'],
  ['euc-jp', '// これはテスト用のファイルです。壊さない\nname = "東京"\n', '東京', '大阪'],
  ['cp949', '// 이것은 시험용 파일입니다. 편집기가 올바르게 인식합니다\nname = "서울"\n', '서울', '부산'],
  ['windows-1251', '// Это тестовый файл, настройки программы\nname = "Москва"\n', 'Москва', 'Казань'],
] as const;

describe('a file that is not in UTF-8', () => {
  it.each(FILES)('is shown, edited and undone in its own encoding: %s', async (encoding, text, old, young) => {
    const desk = await openDesk();
    desk.put('f', iconv.encode(text, encoding));
    expect(await desk.edit(view)).toContain(old);
    expect(await desk.edit(replace(old, young))).toContain(`name = "${young}"`);
    expect(desk.bytes('f')).toEqual(iconv.encode(text.replace(old, young), encoding));
    const [edit] = desk.opened.history.list();
    expect(desk.opened.history.show(edit?.id ?? 0).hunks[0]?.lines).toContainEqual({
      kind: 'add',
      text: expect.stringContaining(`name = "${young}"`),
    });
    await desk.edit({ command: 'insert', path: 'f', insert_line: 1, insert_text: `x = "${old}"` });
    await desk.edit({ command: 'undo_edit', path: 'f' });
    await desk.edit({ command: 'undo_edit', path: 'f' });
    expect(desk.bytes('f')).toEqual(iconv.encode(text, encoding));
  });

  it('is not matched in the middle of a character, whose bytes may be letters', async () => {
    const desk = await openDesk();
    // The second byte of 表, 申, 十 and ソ is a backslash or a letter.
    const text = '表示と申請はこのファイルのソースです。これはテスト用の設定。\n';
    const bytes = iconv.encode(text, 'cp932');
    expect(bytes.includes('\\')).toBe(true);
    desk.put('f', bytes);
    expect(await desk.fail(replace('\\', '/'))).toContain('does not occur');
    const marked = iconv.encode(`${text}path = a\\b\n`, 'cp932');
    desk.put('f', marked);
    await desk.edit(view);
    await desk.edit(replace('\\', '/'));
    expect(desk.bytes('f')).toEqual(iconv.encode(`${text}path = a/b\n`, 'cp932'));
  });

  it('refuses a character that its encoding lacks, and names both', async () => {
    const desk = await openDesk();
    desk.put('f', iconv.encode('// Это тестовый файл, настройки программы\n', 'windows-1251'));
    expect(await desk.fail(replace('файл', '文件'))).toContain('is in windows-1251, which has no character "文"');
  });

  it('gets no half of a character, nor does one in UTF-8: where it stands is said, and nothing is written', async () => {
    const desk = await openDesk();
    desk.put('f', 'one\n');
    const half = 'first\nsecond \uD83D!';
    const told = (field: string) =>
      `"${field}" holds half of a character (U+D83D) at position 13, in its line 2, which no file can hold.`;
    expect(await desk.fail({ command: 'create', path: 'new', file_text: half })).toContain(told('file_text'));
    expect(await desk.fail(replace('one', half))).toContain(told('new_str'));
    const insert = { command: 'insert', path: 'f', insert_line: 0 };
    expect(await desk.fail({ ...insert, insert_text: half })).toContain(told('insert_text'));
    expect(await desk.fail({ ...insert, new_str: '\uDE00' })).toContain('(U+DE00) at position 0');
    expect(await desk.fail(replace('\uD83D', 'x'))).toContain('does not occur');
    const named = { command: 'create', path: 'half \uD83D', file_text: 'x' };
    expect(await desk.fail(named)).toContain('The path holds half of a character');
    expect(readdirSync(desk.folder)).toEqual(['f']);
    expect(desk.text('f')).toBe('one\n');
    await desk.edit(replace('one', '\uD83D\uDE00'));
    expect(desk.text('f')).toBe('😀\n');
  });

  it('keeps the diff readable when an edit of it changes whole lines, or makes it plain ASCII', async () => {
    const desk = await openDesk();
    desk.put('f', iconv.encode('中文 x\nplain\n', 'gbk'));
    await desk.edit({ command: 'create', path: 'f', file_text: 'plain\n', overwrite: true });
    const [edit] = desk.opened.history.list();
    expect(desk.opened.history.show(edit?.id ?? 0)).toMatchObject({ binary: false });
  });

  it('is shown right also where a long file begins with plain ASCII', async () => {
    const desk = await openDesk();
    const text = `${'x = x + 1;\n'.repeat(200_000)}// 这是一个用来测试的文件，里面有一些常用的汉字\n`;
    desk.put('f', iconv.encode(text, 'gbk'));
    expect(await desk.edit({ ...view, view_range: [-1, -1] })).toContain('常用的汉字');
    await desk.edit(replace('常用的汉字', '生僻字'));
    expect(desk.bytes('f')).toEqual(iconv.encode(text.replace('常用的汉字', '生僻字'), 'gbk'));
  });

  it('may be UTF-16 without a byte order mark', async () => {
    const desk = await openDesk();
    const text = 'key = "value"\r\nother = "ä"\r\n';
    desk.put('f', Buffer.from(text, 'utf16le'));
    expect(await desk.edit(view)).toContain('     1\tkey = "value"');
    await desk.edit(replace('value', 'ü'));
    expect(desk.bytes('f')).toEqual(Buffer.from(text.replace('value', 'ü'), 'utf16le'));
    await desk.edit({ command: 'insert', path: 'f', insert_line: 0, insert_text: 'top' });
    expect(desk.bytes('f')).toEqual(Buffer.from(`top\r\n${text.replace('value', 'ü')}`, 'utf16le'));
  });
});
