import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../src-main/agent/conversation.ts';
import { fitConversation } from '../../../src-main/agent/fit.ts';

const picture = { type: 'image' as const, mimeType: 'image/png', blob: { sha256: 'a'.repeat(64), size: 10 } };

function step(number: number, textLength: number, images = 0): Entry[] {
  const id = `call_${number}`;
  return [
    { kind: 'assistant', text: `step ${number}`, toolCalls: [{ id, name: 'tool', arguments: '{}' }] },
    {
      kind: 'tool',
      callId: id,
      name: 'tool',
      text: 'x'.repeat(textLength),
      images: Array.from({ length: images }, () => picture),
    },
  ];
}

function conversation(steps: number, textLength: number, images = 0): Entry[] {
  return [
    { kind: 'user', text: 'The task' },
    ...Array.from({ length: steps }, (_, index) => step(index, textLength, images)).flat(),
  ];
}

const sizeOf = (entries: readonly Entry[]): number => entries.reduce((sum, { text }) => sum + text.length, 0);
const imagesIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + (entry.kind === 'tool' ? entry.images.length : 0), 0);

/** Every result stands behind the message that holds its call, and every call has its result. */
function isPaired(entries: readonly Entry[]): boolean {
  let open: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'tool') {
      if (open.shift() !== entry.callId) return false;
      continue;
    }
    if (open.length > 0) return false;
    open = entry.kind === 'assistant' ? entry.toolCalls.map(({ id }) => id) : [];
  }
  return open.length === 0;
}

describe('fitting a conversation', () => {
  test('what fits is sent as it is', () => {
    const entries = conversation(3, 100, 1);
    expect(fitConversation(entries, { characters: 10_000, images: 10 })).toEqual(entries);
  });

  test('the oldest images become notes first, and no text is lost for it', () => {
    const fitted = fitConversation(conversation(10, 100, 1), { characters: 100_000, images: 4 });
    expect(imagesIn(fitted)).toBe(4);
    expect(fitted[2]?.text).toContain('not shown any more');
    expect(imagesIn(fitted.slice(-8))).toBe(4);
  });

  test('then the oldest long results shrink, while the newest stay whole', () => {
    const fitted = fitConversation(conversation(10, 5_000), { characters: 40_000, images: 0 });
    expect(fitted).toHaveLength(21);
    expect(fitted[2]?.text).toContain('left out');
    expect(fitted.at(-1)?.text).toHaveLength(5_000);
    expect(sizeOf(fitted)).toBeLessThan(41_000);
  });

  test('300 steps with 100 screenshots stay within a small window, with the task still there', () => {
    const entries = conversation(300, 2_000, 1);
    const fitted = fitConversation(entries, { characters: 60_000, images: 3 });
    expect(sizeOf(fitted)).toBeLessThan(61_000);
    expect(fitted[0]?.text).toBe('The task');
    expect(fitted[1]?.kind).toBe('note');
    expect(isPaired(fitted)).toBe(true);
  });

  test('calls and results stay together under any budget', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 30 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 50_000 }),
        fc.integer({ min: 0, max: 5 }),
        (steps, textLength, characters, images) => {
          const fitted = fitConversation(conversation(steps, textLength, 1), { characters, images });
          expect(isPaired(fitted)).toBe(true);
          expect(imagesIn(fitted)).toBeLessThanOrEqual(images);
          expect(fitted[0]?.text).toBe('The task');
        },
      ),
    );
  });
});
