import { describe, expect, it } from 'vitest';
import { catalogues, formatMessage, preferredLanguage } from '../../../src-renderer/i18n/catalogue.ts';

const gaps = (message: string): string[] =>
  [...new Set([...message.matchAll(/\{(\w+)/g)].map((match) => match[1] ?? ''))].sort();

describe('the message catalogues', () => {
  const english = Object.entries(catalogues.en);
  const chinese: Record<string, string> = catalogues['zh-CN'];

  it('have the same keys', () => {
    expect(Object.keys(chinese).sort()).toEqual(Object.keys(catalogues.en).sort());
  });

  it('have no empty message', () => {
    expect(
      [...Object.values(catalogues.en), ...Object.values(chinese)].filter((message) => message.trim() === ''),
    ).toEqual([]);
  });

  it('fill the same gaps in both languages', () => {
    const different = english.filter(([key, message]) => gaps(message).join() !== gaps(chinese[key] ?? '').join());
    expect(different).toEqual([]);
  });

  it('are really translated: what has words in English has Chinese characters, save names', () => {
    const names = ['Causeway', 'bubblewrap', 'WebAssembly', 'English', 'Python', 'stderr'];
    const untranslated = english.filter(
      ([key, message]) => !names.includes(message) && !/[\u4e00-\u9fff]/.test(chinese[key] ?? ''),
    );
    expect(untranslated).toEqual([]);
  });

  it('hold no exclamation mark and no emoji', () => {
    const loud = [...Object.values(catalogues.en), ...Object.values(chinese)].filter((message) =>
      /[!！]|\p{Extended_Pictographic}/u.test(message),
    );
    expect(loud).toEqual([]);
  });
});

describe('a message', () => {
  it('has its gaps filled, numbers in the form of the language', () => {
    expect(formatMessage('{shown} of {total}', 'en', { shown: 'a', total: 1234 })).toBe('a of 1,234');
  });

  it('chooses the form by the number', () => {
    expect(formatMessage('{n} {n|step|steps}', 'en', { n: 1 })).toBe('1 step');
    expect(formatMessage('{n} {n|step|steps}', 'en', { n: 0 })).toBe('0 steps');
  });

  it('keeps a gap that nothing fills, and never fills one from a value', () => {
    expect(formatMessage('{a} {b}', 'en', { a: '{b}' })).toBe('{b} {b}');
  });
});

describe('the language of a new window', () => {
  it('is the first one wanted that exists, else English', () => {
    expect(preferredLanguage(['fr', 'zh-TW', 'en'])).toBe('zh-CN');
    expect(preferredLanguage(['en-GB', 'zh'])).toBe('en');
    expect(preferredLanguage(['fr'])).toBe('en');
    expect(preferredLanguage([])).toBe('en');
  });
});
