import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageOfFile } from '../../../src-renderer/text/file-language.ts';
import { escapeHtml, highlight, loadLanguage } from '../../../src-renderer/text/highlight.ts';
import { htmlLines, markRuns } from '../../../src-renderer/text/runs.ts';

const textOf = (html: string): string =>
  htmlLines(html)
    .map(({ runs }) => runs.map(({ text }) => text).join(''))
    .join('\n');

describe('the language of a file', () => {
  it.each([
    ['/w/src/main.go', 'go'],
    ['C:\\work\\App.CS', 'csharp'],
    ['App.svelte', 'xml'],
    ['Dockerfile', 'dockerfile'],
    ['docker/Dockerfile.test', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['pyproject.toml', 'ini'],
    ['types.d.ts', 'typescript'],
    ['.editorconfig', 'ini'],
  ])('of %s is %s', (file, language) => {
    expect(languageOfFile(file)).toBe(language);
  });

  it.each(['README', 'notes.txt', 'a.constructor', 'constructor', 'go', '', 'src.ts/'])(
    'of "%s" is not known',
    (file) => {
      expect(languageOfFile(file)).toBeUndefined();
    },
  );

  it('is one that can be shown, for every name', async () => {
    const source = readFileSync(path.join(import.meta.dirname, '../../../src-renderer/text/file-language.ts'), 'utf8');
    const languages = new Set(
      [...source.matchAll(/^ {2}'?[\w.]+'?: '(\w+)',$/gm)].map(([, language = '']) => language),
    );
    expect(languages.size).toBeGreaterThan(25);
    for (const language of languages) expect([language, await loadLanguage(language)]).toEqual([language, true]);
  });

  it('is plain before it was fetched, and when there is none of that name', async () => {
    expect(await loadLanguage('no-such-language')).toBe(false);
    expect(highlight('x', 'no-such-language')).toBeUndefined();
  });
});

describe('highlighted code by lines', () => {
  it('closes what is open at the end of a line and opens it again in the next, however deep', () => {
    expect(htmlLines('<span class="a">1<span class="b c">2\n3</span>4\n</span>5')).toEqual([
      {
        runs: [
          { text: '1', looks: ['a'] },
          { text: '2', looks: ['a', 'b c'] },
        ],
        open: true,
      },
      {
        runs: [
          { text: '3', looks: ['a', 'b c'] },
          { text: '4', looks: ['a'] },
        ],
        open: true,
      },
      { runs: [{ text: '5', looks: [] }], open: false },
    ]);
  });

  it('reads what is escaped as the one character it is', () => {
    expect(htmlLines('a &lt;b&gt; &amp;amp; &quot;&#x27;')[0]?.runs).toEqual([{ text: 'a <b> &amp; "\'', looks: [] }]);
  });

  it('makes nothing of other tags and attributes but text', () => {
    const hostile = '<script>hit()</script><span class="a" onclick="hit()">x</span><span class="&quot;>">';
    expect(htmlLines(hostile).flatMap(({ runs }) => runs.flatMap(({ looks }) => looks))).toEqual([]);
    expect(textOf('</span></span>x')).toBe('x');
  });

  it('gives back exactly the text that was coloured', () => {
    const part = fc.constantFrom(
      '</span>',
      '<script>',
      '"',
      "'",
      '&amp;',
      '`${',
      '}`',
      '/*',
      '*/',
      '\n',
      ' ',
      'const',
      '<',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const code = parts.join('');
        expect(textOf(highlight(code, 'typescript') ?? '')).toBe(code);
        expect(textOf(escapeHtml(code))).toBe(code);
      }),
    );
  });

  it('is marked across the borders of colours, and keeps them', () => {
    const [line] = htmlLines('<span class="a">one</span>two');
    expect(markRuns(line?.runs ?? [], [{ from: 2, to: 4 }], 'changed')).toEqual([
      { text: 'on', looks: ['a'] },
      { text: 'e', looks: ['a', 'changed'] },
      { text: 't', looks: ['changed'] },
      { text: 'wo', looks: [] },
    ]);
  });
});

describe('the colours of code', () => {
  const css = readFileSync(path.join(import.meta.dirname, '../../../src-renderer/tokens.css'), 'utf8');
  const luminance = (hex: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one: string, other: string): number => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };

  it.each(['light', 'dark'])('can be read on every background of a diff (WCAG AA), %s', (theme) => {
    const block = css.slice(css.indexOf(`[data-theme='${theme}'] {`)).split('}')[0] ?? '';
    const tokens = [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => ({
      name,
      hex,
    }));
    const inks = tokens.filter(({ name }) => name === 'ink' || name.startsWith('code-'));
    const papers = tokens.filter(({ name }) => /^(add|del)(-strong)?$|^raised$/.test(name));
    expect([inks.length, papers.length]).toEqual([6, 5]);
    const poor = inks.flatMap((ink) =>
      papers.filter((paper) => contrast(ink.hex, paper.hex) < 4.5).map((paper) => `${ink.name} on ${paper.name}`),
    );
    expect(poor).toEqual([]);
  });
});
