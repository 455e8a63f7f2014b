import { describe, expect, it } from 'vitest';
import { readText } from '../../../src-renderer/apps/content.ts';
import { clampHeight } from '../../../src-renderer/apps/height.ts';
import { createQuestions, type ViewQuestion } from '../../../src-renderer/apps/view-question.ts';

describe('what a view says', () => {
  it('is its texts and its data; other parts are named', () => {
    const content = [
      { type: 'text', text: 'One' },
      { type: 'image', data: 'AAAA' },
    ];
    expect(readText({ content, structuredContent: { a: 1 } })).toBe('One\n[image]\n{\n "a": 1\n}');
    expect(readText({})).toBe('');
  });

  it('is cut where it is too long', () => {
    expect(readText({ content: [{ type: 'text', text: 'x'.repeat(20_000) }] })).toMatch(/^x{8000}\n\[cut here\]$/);
  });
});

describe('the height of a view', () => {
  it.each([
    [0, 48],
    [-5, 48],
    [300.4, 300],
    [1_000_000, 720],
  ])('for %d wanted is %d', (wanted, given) => {
    expect(clampHeight(wanted)).toBe(given);
  });
});

describe('the questions of a view', () => {
  function openQuestions() {
    let shown: ViewQuestion | undefined;
    const questions = createQuestions((question) => (shown = question));
    return { questions, shown: () => shown };
  }

  it('are asked one at a time: another one meanwhile is a no', async () => {
    const { questions, shown } = openQuestions();
    const first = questions.ask('link', 'https://a.example/');
    expect(await questions.ask('say', 'Hello')).toBe(false);
    shown()?.answer(true);
    expect(await first).toBe(true);
    expect(shown()).toBeUndefined();
  });

  it('are not asked any more after three refusals', async () => {
    const { questions, shown } = openQuestions();
    for (let time = 0; time < 3; time += 1) {
      const asked = questions.ask('say', 'Again');
      shown()?.answer(false);
      expect(await asked).toBe(false);
    }
    expect(await questions.ask('say', 'Again')).toBe(false);
    expect(shown()).toBeUndefined();
  });

  it('end with a no when the view goes', async () => {
    const { questions } = openQuestions();
    const asked = questions.ask('say', 'Hello');
    questions.end();
    expect(await asked).toBe(false);
  });
});
