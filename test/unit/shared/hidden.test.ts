import { describe, expect, it } from 'vitest';
import { estimateTokens, withHiddenShown, withoutHidden } from '../../../src-shared/index.ts';

describe('hidden characters', () => {
  it('are shown by their numbers, or taken out, and nothing else is touched', () => {
    const text = 'a\u200Bb👩‍👧c\u{E0041}';
    expect(withHiddenShown(text)).toBe('a⟨U+200B⟩b👩‍👧c⟨U+E0041⟩');
    expect(withoutHidden(text)).toBe('ab👩‍👧c');
  });
});

describe('the estimate of tokens', () => {
  // Counted with OpenAI's o200k.
  it.each([
    ['The quick brown fox jumps over the lazy dog.', 10],
    ['{"type":"object","properties":{"path":{"type":"string","description":"The file to read."}}}', 22],
    ['智能体在你自己的电脑上工作，并通过工具行动。', 13],
    ['function readFile(path: string): Promise<string> { return files.read(path); }', 17],
  ])('of %j is near what is counted', (text, counted) => {
    const estimate = estimateTokens(text);
    expect(estimate).toBeGreaterThanOrEqual(counted * 0.75);
    expect(estimate).toBeLessThanOrEqual(counted * 1.4);
  });
});
