import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import {
  characterStart,
  createBoundaries,
  decodeText,
  detectEncoding,
  encodeText,
  encodingName,
  type TextEncoding,
} from '../../../src-main/platform/index.ts';

const TEXTS: readonly (readonly [TextEncoding, string])[] = [
  ['gb18030', '这是一个用来测试的文件，里面有一些常用的汉字。'],
  ['big5', '這是一個用來測試的檔案，裡面有一些常用的漢字。'],
  ['shift_jis', 'これはテスト用のファイルです。表示と設定を確認します。'],
  ['euc-jp', 'これはテスト用のファイルです。編集していない部分を壊さない。'],
  ['euc-kr', '이것은 시험용 파일입니다. 편집기가 문자 인코딩을 올바르게 인식합니다.'],
  ['windows-1251', 'Это тестовый файл. Редактор должен правильно определить кодировку.'],
  ['koi8-r', 'Это тестовый файл. Редактор должен правильно определить кодировку.'],
  ['iso-8859-5', 'Это тестовый файл. Редактор должен правильно определить кодировку.'],
  ['iso-8859-7', 'Αυτό είναι ένα δοκιμαστικό αρχείο. Ο επεξεργαστής πρέπει να αναγνωρίζει.'],
  [
    'iso-8859-2',
    'Zażółć gęślą jaźń, również się nie udało. Błąd połączenia z bazą: spróbuj później. Użytkownik może się zalogować, gdy hasło będzie właściwe.',
  ],
  ['windows-1252', '“Smart quotes” — and a dash… it’s €5'],
  ['latin1', 'Größe und Länge der Straße müssen überprüft werden.'],
];

const encode = (text: string, encoding: TextEncoding): Buffer => encodeText(text, encoding) ?? Buffer.alloc(0);

describe('the encoding of a text that is not UTF-8', () => {
  it.each(TEXTS)('is told where it is clear: %s', (encoding, text) => {
    const bytes = encode(`int main() { return 0; }\n// ${text}\n`, encoding);
    expect(detectEncoding(bytes)).toBe(encoding);
    expect(decodeText(bytes, encoding)).toContain(text);
  });

  it.each(TEXTS)('is told also far behind plain ASCII, and not by a character that was cut: %s', (encoding, text) => {
    const code = 'x = x + 1;\n'.repeat(20_000);
    expect(detectEncoding(encode(`${code}${text}\n`, encoding))).toBe(encoding);
    const long = encode(`${text}\n`.repeat(3000), encoding);
    for (const cut of [65_536, 65_537, 65_538]) {
      expect(detectEncoding(long.subarray(0, cut), { part: true })).toBe(encoding);
    }
  });

  it('is Latin-1, which loses nothing, where too little tells', () => {
    for (const text of ['中文', '設定', '초기']) {
      const bytes = iconv.encode(`a = ${text}\n`, text === '設定' ? 'cp932' : text === '中文' ? 'gbk' : 'cp949');
      expect(detectEncoding(bytes)).toBe('latin1');
    }
    expect(detectEncoding(Buffer.from('caf\u00e9 = 1\nna\u00efve = 2\n', 'latin1'))).toBe('latin1');
    expect(detectEncoding(Buffer.from('50 \u00b0C \u00b1 2\n', 'latin1'))).toBe('latin1');
  });

  it('never leaves a byte without a character, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (any) => {
        const bytes = any.map((byte) => byte || 1);
        const encoding = detectEncoding(bytes);
        expect(encoding).toBeDefined();
        if (encoding) expect(decodeText(bytes, encoding).replace(/^\uFEFF/, '')).not.toContain('\uFFFD');
      }),
    );
  });

  it('is UTF-16 without a mark where every second byte says so, and binary where not', () => {
    const text = 'key = "value"\r\nname = "名前 🙂"\r\n';
    expect(detectEncoding(Buffer.from(text, 'utf16le'))).toBe('utf16le');
    expect(detectEncoding(Buffer.from(text, 'utf16le').swap16())).toBe('utf16be');
    const numbers = Buffer.from(Uint16Array.from({ length: 100 }, (_, index) => index).buffer);
    expect(detectEncoding(numbers)).toBeUndefined();
    expect(detectEncoding(Buffer.from(`${text}x`, 'utf16le').subarray(1))).toBeUndefined();
    expect(detectEncoding(Buffer.from('a\0b\0'))).toBeUndefined();
    expect(detectEncoding(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toBeUndefined();
  });

  it('holds what it can hold, and says so of what it can not', () => {
    for (const [encoding, text] of TEXTS) {
      expect(decodeText(encode(text, encoding), encoding)).toBe(text);
      if (encoding !== 'gb18030') expect(encodeText('🙂', encoding)).toBeUndefined();
    }
    expect(TEXTS.map(([encoding]) => encodingName(encoding))).toEqual([
      ...['GB18030', 'Big5', 'Shift_JIS', 'EUC-JP', 'EUC-KR', 'windows-1251', 'KOI8-R', 'ISO-8859-5'],
      ...['ISO-8859-7', 'ISO-8859-2', 'windows-1252', 'Latin-1'],
    ]);
  });
});

describe('the beginnings of characters', () => {
  const multiByte = TEXTS.filter(([encoding]) => /^(gb|big|shift|euc)/.test(encoding));

  it.each(multiByte)('are those of the converter in %s', (encoding, text) => {
    const mixed = `a\\${text}\nZ|${text}|\n𠀀 é`;
    const characters = [...mixed].filter((character) => encodeText(character, encoding) !== undefined);
    const bytes = encode(characters.join(''), encoding);
    const starts = new Set<number>();
    characters.reduce((at, character) => {
      starts.add(at);
      return at + encode(character, encoding).length;
    }, 0);
    const begins = createBoundaries(bytes, encoding);
    for (let at = 0; at < bytes.length; at += 1) {
      expect(begins(at)).toBe(starts.has(at));
      expect(characterStart(bytes, encoding, at) === at).toBe(starts.has(at));
    }
    expect(begins(1)).toBe(true);
  });
});
